import type { Path } from '../files/source.js';
import { pointerSteps } from '../json/pointer.js';
import type { Fault } from './fault.js';

/** What a probe sends on purpose: the JSON Pointers of its `deliberate`, and which of them were needed. */
export interface Deliberate {
  /** Whether a pointer leads to the fault or to something around it; for what is missing, also to something inside. */
  readonly covers: (fault: Pick<Fault, 'path' | 'lacks'>) => boolean;
  /** Indexes of the pointers that covered nothing so far. */
  readonly unused: () => readonly number[];
}

export function deliberateOf(pointers: readonly string[]): Deliberate {
  const all = pointers.map(pointerSteps);
  const used = new Set<number>();
  return {
    covers({ path, lacks }) {
      const hits = [...all.entries()].filter(
        ([, steps]) =>
          beginsWith(path, steps) || (lacks !== null && (beginsWith(lacks, steps) || beginsWith(steps, lacks))),
      );
      for (const [index] of hits) used.add(index);
      return hits.length > 0;
    },
    unused: () => [...all.keys()].filter((index) => !used.has(index)),
  };
}

function beginsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => String(path[index]) === String(step));
}
