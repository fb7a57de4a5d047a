/** A judged cell as explanations see it: its labels (`probe` among them), and whether it can be relied on. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly good: boolean;
}

/** A statement about one axis. */
export interface Atom {
  readonly axis: string;
  /** "max_tokens >= 1280", "only with thinking=disabled". */
  readonly text: string;
  /** The same without "only" or "not", for a pair that must not come together; null where it reads badly. */
  readonly plain: string | null;
  readonly holds: (cell: Pick<Labelled, 'labels'>) => boolean;
  /** How much there is to read: the smallest explanation wins. */
  readonly size: number;
  /** The label that a numeric bound names. */
  readonly bound: string | null;
}

const mostLabels = 6;

/** What is true of every cell `of` on this axis and of not every one of the `others`; the tightest there is. */
export function atomsOf(axis: string, of: readonly Labelled[], others: readonly Labelled[]): Atom[] {
  return [...bounds(axis, of, others), ...lists(axis, of, others)];
}

/** Labels that a threshold can be drawn through. */
export function isNumeric(label: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(label);
}

function bounds(axis: string, of: readonly Labelled[], others: readonly Labelled[]): Atom[] {
  const mine = labelsOn(axis, of);
  const theirs = labelsOn(axis, others);
  if (mine.defined.length === 0 || ![...mine.defined, ...theirs.defined].every(isNumeric)) return [];
  const numbers = mine.defined.map(Number);
  const bound = (sign: '>=' | '<=', value: number): Atom => ({
    axis,
    text: `${axis} ${sign} ${value}`,
    plain: `${axis} ${sign} ${value}`,
    size: 1,
    bound: mine.defined.find((label) => Number(label) === value) ?? String(value),
    holds: ({ labels }) => {
      const label = labels[axis];
      if (label === undefined) return mine.missing;
      return sign === '>=' ? Number(label) >= value : Number(label) <= value;
    },
  });
  return [bound('>=', Math.min(...numbers)), bound('<=', Math.max(...numbers))].filter((atom) =>
    others.some((cell) => !atom.holds(cell)),
  );
}

function lists(axis: string, of: readonly Labelled[], others: readonly Labelled[]): Atom[] {
  const mine = labelsOn(axis, of);
  const theirs = labelsOn(axis, others);
  const foreign = theirs.defined.filter((label) => !mine.defined.includes(label));
  if (foreign.length === 0 && (mine.missing || !theirs.missing)) return [];
  const byExclusion =
    foreign.length > 0 &&
    (mine.defined.length === 0 ||
      mine.missing ||
      (mine.defined.length > 1 && foreign.length < mine.defined.length && !theirs.missing));
  const named = byExclusion ? foreign : mine.defined;
  if (named.length === 0 || named.length > mostLabels) return [];
  const isOne = named.length === 1;
  const text = byExclusion ? `not with ${listed(axis, named)}` : `${isOne ? 'only with ' : ''}${listed(axis, named)}`;
  const isListable = !mine.missing && mine.defined.length > 0 && mine.defined.length <= mostLabels;
  return [
    {
      axis,
      text,
      plain: isListable ? listed(axis, mine.defined) : null,
      size: named.length,
      bound: null,
      holds: ({ labels }) => {
        const label = labels[axis];
        return label === undefined ? mine.missing : mine.defined.includes(label);
      },
    },
  ];
}

function listed(axis: string, labels: readonly string[]): string {
  return labels.length === 1 ? `${axis}=${labels[0] ?? ''}` : `${axis}: ${labels.join(', ')}`;
}

function labelsOn(axis: string, cells: readonly Labelled[]): { defined: string[]; missing: boolean } {
  const defined = new Set<string>();
  let missing = false;
  for (const { labels } of cells) {
    const label = labels[axis];
    if (label === undefined) missing = true;
    else defined.add(label);
  }
  return { defined: [...defined], missing };
}
