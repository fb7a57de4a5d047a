import type { Threshold } from '../course.js';

/** What was seen at each value of an axis. */
export interface AxisCounts {
  /** `mixed`: it both passed and failed there. */
  stateAt(x: number): 'unknown' | 'pass' | 'fail' | 'mixed';
  totalAt(x: number): number;
  passedAt(x: number): number;
  /** Ascending. */
  values(): readonly number[];
  curve(): Threshold['curve'];
}

/** @param seen every judged trial so far; read on every call, so that later trials count as well */
export function countAlongAxis(seen: () => readonly { readonly x: number; readonly passed: boolean }[]): AxisCounts {
  const totalAt = (at: number) => seen().filter(({ x }) => x === at).length;
  const passedAt = (at: number) => seen().filter(({ x, passed }) => x === at && passed).length;
  const values = () => [...new Set(seen().map(({ x }) => x))].sort((a, b) => a - b);
  return {
    totalAt,
    passedAt,
    values,
    stateAt(x) {
      const [total, passed] = [totalAt(x), passedAt(x)];
      if (total === 0) return 'unknown';
      if (passed === total) return 'pass';
      return passed === 0 ? 'fail' : 'mixed';
    },
    curve: () => values().map((x) => [x, passedAt(x), totalAt(x)] as const),
  };
}

/** Whether no value fails outright above one that passes. */
export function isMonotonic(counts: AxisCounts): boolean {
  const states = counts.values().map((x) => counts.stateAt(x));
  return !states.includes('pass') || states.lastIndexOf('fail') < states.indexOf('pass');
}
