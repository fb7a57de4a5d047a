import type { Problem } from './problem.js';

/** Problems in the order in which one reads the files, each once; the files come in the order of their first problems. */
export function inLineOrder(problems: readonly Problem[]): Problem[] {
  const files = new Map<string, number>();
  for (const { place } of problems) {
    const file = place?.file ?? '';
    if (!files.has(file)) files.set(file, files.size);
  }
  const distinct = [
    ...new Map(
      problems.toReversed().map((problem) => [JSON.stringify([problem.place, problem.message]), problem]),
    ).values(),
  ];
  return distinct.sort(
    (one, other) =>
      (files.get(one.place?.file ?? '') ?? 0) - (files.get(other.place?.file ?? '') ?? 0) ||
      (one.place?.line ?? 0) - (other.place?.line ?? 0) ||
      (one.place?.column ?? 0) - (other.place?.column ?? 0),
  );
}
