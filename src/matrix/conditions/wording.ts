import type { Atom, Clause } from './atom.js';
import { probeAxis } from './labelled.js';

/** The labels of every axis, as far as they are known. */
export type AxisLabels = ReadonlyMap<string, readonly string[]>;

/** Where a condition says nothing. */
export interface Unknown {
  readonly clauses: readonly Clause[];
  /** Nothing is said of any point that was not asked. */
  readonly onlyAsked: boolean;
}

/**
 * A condition in words, by the grammar of docs/reports.md: what a client must send, then what it must not, so that each
 * "and" can be read in one way only.
 */
export function conditionText(clauses: readonly Clause[], unknown: Unknown, labels: AxisLabels): string {
  const order = [...labels.keys()];
  const sorted = clauses.toSorted((a, b) => order.indexOf(a[0]?.axis ?? '') - order.indexOf(b[0]?.axis ?? ''));
  const requirements = sorted.flatMap((clause) => requirementOf(clause) ?? []);
  const exclusions = sorted
    .filter((clause) => requirementOf(clause) === null)
    .map((clause) => `not with ${together(clause, labels)}`);
  const known = [...joinedRequirements(requirements), ...exclusions].join(' and ');
  const open = [
    ...unknown.clauses.map((clause) => `not known with ${together(clause, labels)}`),
    ...(unknown.onlyAsked ? ['points that were not asked are not known'] : []),
  ].join(' and ');
  return open === '' ? known : `${known}; ${open}`;
}

interface Requirement {
  readonly text: string;
  /** It says which single label is needed. */
  readonly only: boolean;
}

/** The other way round: a clause about one axis as what a client must send; null for one that reads better as it is. */
function requirementOf(clause: Clause): Requirement | null {
  const [atom, second] = clause;
  if (atom === undefined || second !== undefined || atom.kind === 'in') return null;
  switch (atom.kind) {
    case 'below':
      return { text: `${atom.axis} >= ${Number(atom.bound)}`, only: false };
    case 'above':
      return { text: `${atom.axis} <= ${Number(atom.bound)}`, only: false };
    case 'outside':
      return { text: listed(atom), only: atom.labels.length === 1 || atom.axis === probeAxis };
  }
}

/** "only with a=x and b=y and n >= 2" */
function joinedRequirements(requirements: readonly Requirement[]): string[] {
  return requirements.map(({ text, only }, index) =>
    only && requirements[index - 1]?.only !== true ? `only with ${text}` : text,
  );
}

function together(clause: Clause, labels: AxisLabels): string {
  const atoms = clause.map((atom) => plain(atom, labels)).join(' and ');
  return clause.length === 1 ? atoms : `${atoms} together`;
}

function plain(atom: Atom, labels: AxisLabels): string {
  switch (atom.kind) {
    case 'in':
      return listed(atom);
    case 'outside': {
      const others = (labels.get(atom.axis) ?? []).filter((label) => !atom.labels.includes(label));
      return listed({ axis: atom.axis, labels: others });
    }
    case 'below':
      return `${atom.axis} < ${Number(atom.bound)}`;
    case 'above':
      return `${atom.axis} > ${Number(atom.bound)}`;
  }
}

function listed({ axis, labels }: { readonly axis: string; readonly labels: readonly string[] }): string {
  const [first = ''] = labels;
  if (axis === probeAxis) return labels.length === 1 ? `probe ${first}` : `probes ${labels.join(', ')}`;
  return labels.length === 1 ? `${axis}=${first}` : `${axis}: ${labels.join(', ')}`;
}
