import type { Problem } from './problem.js';

/** Problems in the order of the lines, each once; the files come in the order of their first problems. */
export function inLineOrder(problems: readonly Problem[]): Problem[] {
  const files = new Map<string, number>();
  for (const { place } of problems) {
    const file = place?.file ?? '';
    if (!files.has(file)) files.set(file, files.size);
  }
  const distinct = new Map<string, Problem>();
  for (const problem of problems) {
    const id = JSON.stringify([problem.place, problem.message]);
    if (!distinct.has(id)) distinct.set(id, problem);
  }
  const rank = ({ place }: Problem): number => files.get(place?.file ?? '') ?? 0;
  return [...distinct.values()].sort(
    (one, other) => rank(one) - rank(other) || (one.place?.line ?? 0) - (other.place?.line ?? 0),
  );
}
