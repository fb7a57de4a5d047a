import type { Path } from '../files/source.js';
import { pointerSteps } from '../json/pointer.js';

/** What a probe sends on purpose: the JSON Pointers of its `deliberate`, and which of them were needed. */
export interface Deliberate {
  /** Whether a pointer leads to the place or to something around it; for what is missing, also to something inside. */
  readonly covers: (place: Path, lacks?: Path | null) => boolean;
  /** Indexes of the pointers that covered nothing so far. */
  readonly unused: () => readonly number[];
}

export function deliberateOf(pointers: readonly string[]): Deliberate {
  const all = pointers.map(pointerSteps);
  const used = new Set<number>();
  return {
    covers(place, lacks = null) {
      const hits = all.flatMap((steps, index) => (isCovered(steps, place, lacks) ? [index] : []));
      hits.forEach((index) => used.add(index));
      return hits.length > 0;
    },
    unused: () => all.flatMap((_, index) => (used.has(index) ? [] : [index])),
  };
}

function isCovered(steps: readonly string[], place: Path, lacks: Path | null): boolean {
  if (beginsWith(place, steps)) return true;
  return lacks !== null && (beginsWith(lacks, steps) || beginsWith(steps, lacks));
}

function beginsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => String(path[index]) === String(step));
}
