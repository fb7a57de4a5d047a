import type { CellSpec, ModelSpec, TargetSpec } from './world.js';

/** So many latencies in milliseconds, each longer than the last by the same factor, in a random order. */
export function spread(random: () => number, count: number, fastest: number, slowest: number): readonly number[] {
  const inOrder = Array.from({ length: count }, (_, index) => fastest * (slowest / fastest) ** (index / (count - 1)));
  return inOrder
    .map((latency) => ({ latency, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ latency }) => latency);
}

export const fixed = (count: number, trials: number): readonly CellSpec[] =>
  Array.from({ length: count }, (_, index) => ({ name: `c${index}`, course: 'fixed', trials }));

export const certified: readonly CellSpec[] = [
  ...Array.from({ length: 8 }, (_, index): CellSpec => ({ name: `c${index}`, course: 'decided' })),
  { name: 'flaky', course: 'decided', passes: 0.85 },
  { name: 'threshold', course: 'find', trials: 2 },
];

/** A single target. */
export const one = (limits: TargetSpec['limits'], all: readonly ModelSpec[]): readonly TargetSpec[] => [
  { name: 't', key: 'KEY', limits, models: all },
];
