import { isJudged } from '../../cell/verdict.js';
import type { ReportCell } from '../report-format.js';

/** A judged cell as explanations see it: its labels, the probe among them, and whether it can be relied on. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly good: boolean;
}

/** When a capability can be relied on: in words, and as the settings of a request that meets the condition. */
export interface Condition {
  readonly text: string;
  readonly settings: Readonly<Record<string, string>>;
  /** It names a probe, so no request can meet it: worth knowing, but not to be relied on. */
  readonly namesProbe: boolean;
}

/** Stands for the probe among the axes. */
const probeAxis = 'probe';

/**
 * The smallest explanation of why some cells pass and others do not (fail or are flaky); null if none fits.
 */
export function conditionOf(cells: readonly ReportCell[]): Condition | null {
  const [smallest] = explanationsOf(cells.filter(isJudged).map(labelled));
  if (smallest === undefined) return null;
  const { text, settings, atoms } = smallest;
  return { text, settings, namesProbe: atoms.some(({ axis }) => axis === probeAxis) };
}

/** A statement that is true of all good cells and of no bad one. */
interface Explanation extends Pick<Condition, 'text' | 'settings'> {
  readonly atoms: readonly Atom[];
  /** What it predicts, also for a cell that has not been asked. */
  readonly isGood: (cell: Pick<Labelled, 'labels'>) => boolean;
}

/**
 * Every explanation of at most two parts, lazily and smallest first: one axis; the probe; two parts that are both needed;
 * two parts that must not be combined.
 */
export function* explanationsOf(judged: readonly Labelled[]): Generator<Explanation, undefined> {
  const good = judged.filter((cell) => cell.good);
  const bad = judged.filter((cell) => !cell.good);
  if (good.length === 0 || bad.length === 0) return;
  const named = [...new Set(judged.flatMap((cell) => Object.keys(cell.labels)))].filter((axis) => axis !== probeAxis);
  const has =
    (axis: string) =>
    ({ labels }: Labelled): boolean =>
      labels[axis] !== undefined;
  const axes = named.filter((axis) => (isVaried(axis, judged) ? bad.some(has(axis)) : bad.every(has(axis))));

  const ofAxes = smallestFirst(axes.flatMap((axis) => atomsOf(axis, good, bad)));
  const ofGood = [...ofAxes, ...atomsOf(probeAxis, good, bad)];
  const holdTogether = (atoms: readonly Atom[]) => (cell: Pick<Labelled, 'labels'>) =>
    atoms.every((atom) => atom.isTrueOf(cell));
  for (const atoms of [...ofGood.map((atom) => [atom]), ...pairs(ofGood)]) {
    const isGood = holdTogether(atoms);
    if (bad.some(isGood)) continue;
    yield { text: bothNeeded(atoms), settings: settingsFor(atoms, good), atoms, isGood };
  }

  const ofBad = smallestFirst([...axes, probeAxis].flatMap((axis) => atomsOf(axis, bad, good)));
  for (const atoms of pairs(ofBad.filter((atom) => atom.plain !== null))) {
    const isBad = holdTogether(atoms);
    if (good.some(isBad)) continue;
    const free = atoms.map((atom) => ({ ...atom, bound: null }));
    const text = `not with ${atoms.map((atom) => atom.plain).join(' and ')} together`;
    const isGood = (cell: Pick<Labelled, 'labels'>) => !isBad(cell);
    yield { text, settings: settingsFor(free, good), atoms, isGood };
  }
}

function labelled(cell: ReportCell): Labelled {
  return { labels: { ...cell.point, [probeAxis]: `${cell.suite}/${cell.probe}` }, good: cell.verdict === 'pass' };
}

/** An axis with a single label explains no more than the name of its probe. */
function isVaried(axis: string, cells: readonly Labelled[]): boolean {
  return new Set(cells.flatMap(({ labels }) => labels[axis] ?? [])).size > 1;
}

function smallestFirst(atoms: readonly Atom[]): Atom[] {
  return atoms.toSorted((a, b) => a.size - b.size);
}

/** Pairs over different axes, the smallest first. */
function pairs(atoms: readonly Atom[]): Atom[][] {
  const found: Atom[][] = [];
  for (const [index, first] of atoms.entries()) {
    for (const second of atoms.slice(index + 1)) if (second.axis !== first.axis) found.push([first, second]);
  }
  return found.sort((a, b) => weight(a) - weight(b));
}

function weight(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom) => sum + atom.size + (atom.axis === probeAxis ? probePenalty : 0), 0);
}

/** An axis is a better explanation than the name of a probe. */
const probePenalty = 0.5;

function bothNeeded(atoms: readonly Atom[]): string {
  const [first, second] = atoms.map((atom) => atom.text.replace(/\bprobe=/, 'probe ').replace(/\bprobe: /, 'probes '));
  if (second === undefined) return first ?? '';
  const only = 'only with ';
  return first?.startsWith(only) && second.startsWith(only)
    ? `${first} and ${second.slice(only.length)}`
    : `${first ?? ''} and ${second}`;
}

function settingsFor(atoms: readonly Atom[], good: readonly Labelled[]): Record<string, string> {
  const shown = good.find((cell) => atoms.every((atom) => cell.labels[atom.axis] !== undefined)) ?? good[0];
  const settings: Record<string, string> = {};
  for (const atom of atoms) {
    const label = atom.bound ?? shown?.labels[atom.axis];
    if (label !== undefined && atom.axis !== probeAxis) settings[atom.axis] = label;
  }
  return settings;
}

/** A statement about one axis. */
interface Atom {
  readonly axis: string;
  /** "max_tokens >= 1280", "only with thinking=disabled". */
  readonly text: string;
  /** The same without "only" or "not", for a pair that must not be combined; null where it reads badly. */
  readonly plain: string | null;
  readonly isTrueOf: (cell: Pick<Labelled, 'labels'>) => boolean;
  /** How long it is; the smallest explanation wins. */
  readonly size: number;
  /** The label that a numeric bound names. */
  readonly bound: string | null;
}

const mostLabels = 6;

/** The tightest statements about one axis that are true of every cell of `of` and false of some of the `others`. */
function atomsOf(axis: string, of: readonly Labelled[], others: readonly Labelled[]): Atom[] {
  return [...bounds(axis, of, others), ...lists(axis, of, others)];
}

/** Whether a label is a number, so that a bound can stand between it and others. */
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
    isTrueOf: ({ labels }) => {
      const label = labels[axis];
      if (label === undefined) return mine.missing;
      return sign === '>=' ? Number(label) >= value : Number(label) <= value;
    },
  });
  return [bound('>=', Math.min(...numbers)), bound('<=', Math.max(...numbers))].filter((atom) =>
    others.some((cell) => !atom.isTrueOf(cell)),
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
      isTrueOf: ({ labels }) => {
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
