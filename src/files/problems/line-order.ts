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
  const rankOf = ({ place }: Problem): readonly number[] => [
    files.get(place?.file ?? '') ?? 0,
    place?.line ?? 0,
    place?.column ?? 0,
  ];
  const ranked = [...distinct.values()].map((problem) => ({ problem, rank: rankOf(problem) }));
  const difference = (one: readonly number[], other: readonly number[]): number =>
    one.map((rank, index) => rank - (other[index] ?? 0)).find((far) => far !== 0) ?? 0;
  return ranked.sort((one, other) => difference(one.rank, other.rank)).map(({ problem }) => problem);
}
