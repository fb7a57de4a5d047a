import { type Atom, type Clause, excludes, isTrueOf } from './atom.js';
import type { Labelled } from './labelled.js';

/**
 * By axis of which a condition has a lower bound only: the largest value that was asked and passed with the other settings
 * of the bound, of several bounds the least such value. Above it, nothing was asked. An axis is left out where larger
 * values did not pass.
 */
export function askedUpTo(clauses: readonly Clause[], judged: readonly Labelled[]): Readonly<Record<string, number>> {
  const ends = clauses.flatMap((clause) =>
    clause.flatMap((atom) =>
      atom.kind === 'below' ? [[atom.axis, endOf(atom, clause, clauses, judged)] as const] : [],
    ),
  );
  return Object.fromEntries(
    [...new Set(ends.map(([axis]) => axis))].flatMap((axis) => {
      const values = ends.flatMap(([own, end]) => (own === axis ? [end] : []));
      return values.some((end) => end === null) ? [] : [[axis, Math.min(...values.flatMap((end) => end ?? []))]];
    }),
  );
}

/** Where the values of a bound end; null if the last of them does not pass. */
function endOf(bound: Atom, clause: Clause, clauses: readonly Clause[], judged: readonly Labelled[]): number | null {
  const others = clause.filter((atom) => atom !== bound);
  const values = judged.flatMap(({ labels, good }) => {
    const label = labels[bound.axis];
    if (label === undefined || !others.every((atom) => isTrueOf(atom, labels))) return [];
    return [{ value: Number(label), passes: good === true && !clauses.some((one) => excludes(one, labels)) }];
  });
  const last = Math.max(...values.map(({ value }) => value));
  return values.some(({ value, passes }) => value === last && passes) ? last : null;
}
