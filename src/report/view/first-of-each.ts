import { groupBy } from '../../json/group-by.js';

/**
 * Chooses entries so that a large group does not crowd out the groups after it: each group in turn gives its first entry,
 * then its second, and so on. Shown and rest keep the order of the entries.
 */
export function firstOfEach<T>(
  entries: readonly T[],
  groupOf: (entry: T) => unknown,
  most: number,
): { readonly shown: readonly T[]; readonly rest: readonly T[] } {
  const groups = [...groupBy(entries, groupOf).values()];
  const longest = Math.max(0, ...groups.map((group) => group.length));
  const inTurn = Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1)));
  const chosen = new Set(inTurn.flat().slice(0, most));
  return { shown: entries.filter((entry) => chosen.has(entry)), rest: entries.filter((entry) => !chosen.has(entry)) };
}
