import { probeAxis, type Labels } from './labelled.js';

/** A statement about one axis. Only `outside` is also true of a request that does not have the axis. */
export type Atom = ListAtom | BoundAtom;

interface ListAtom {
  readonly axis: string;
  readonly kind: 'in' | 'outside';
  readonly labels: readonly string[];
}

interface BoundAtom {
  readonly axis: string;
  readonly kind: 'below' | 'above';
  readonly bound: string;
}

/** Requests of which all these atoms are true do not pass. */
export type Clause = readonly Atom[];

export function isTrueOf(atom: Atom, labels: Labels): boolean {
  const label = labels[atom.axis];
  switch (atom.kind) {
    case 'in':
      return label !== undefined && atom.labels.includes(label);
    case 'outside':
      return label === undefined || !atom.labels.includes(label);
    case 'below':
      return label !== undefined && Number(label) < Number(atom.bound);
    case 'above':
      return label !== undefined && Number(label) > Number(atom.bound);
  }
}

export function excludes(clause: Clause, labels: Labels): boolean {
  return clause.every((atom) => isTrueOf(atom, labels));
}

/** Of two explanations, the one with less of this wins. A third axis in one clause is rare, and hard to read. */
export function costOf(clause: Clause): number {
  const atoms = clause.reduce((sum, atom) => sum + (atom.axis === probeAxis ? probeCost : 1), 0);
  return atoms + Math.max(0, clause.length - 2);
}

/** An axis explains more than the name of a probe. */
const probeCost = 1.5;

/** Decides between explanations of the same cost: the fewest words, and what a client must send before what it must not. */
export function wordiness(clause: Clause): number {
  return clause.reduce((sum, atom) => {
    if (atom.kind !== 'in' && atom.kind !== 'outside') return sum;
    const isPositive = clause.length === 1 && atom.kind === 'outside';
    return sum + 0.02 * atom.labels.length + (isPositive ? 0 : 0.01);
  }, 0);
}
