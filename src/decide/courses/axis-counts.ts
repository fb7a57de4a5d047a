import { probabilityOfFewer } from '../../stats/exact-test.js';
import type { Threshold } from '../course.js';

/** What was seen at each value of an axis. */
export interface AxisCounts {
  totalAt(x: number): number;
  passedAt(x: number): number;
  /** At all values together. */
  trials(): number;
  /** Ascending. */
  values(): readonly number[];
  curve(): Threshold['curve'];
}

/** @param seen every judged trial from the given one on; asked on every call, so that later trials count as well */
export function countAlongAxis(
  seen: (from: number) => readonly { readonly x: number; readonly passed: boolean }[],
): AxisCounts {
  const counted = new Map<number, { passed: number; total: number }>();
  let trials = 0;
  const upToDate = () => {
    for (const { x, passed } of seen(trials)) {
      const at = counted.get(x) ?? { passed: 0, total: 0 };
      counted.set(x, at);
      at.total += 1;
      if (passed) at.passed += 1;
      trials += 1;
    }
    return counted;
  };
  const values = () => [...upToDate().keys()].sort((a, b) => a - b);
  const totalAt = (x: number) => upToDate().get(x)?.total ?? 0;
  const passedAt = (x: number) => upToDate().get(x)?.passed ?? 0;
  return {
    totalAt,
    passedAt,
    values,
    trials() {
      upToDate();
      return trials;
    },
    curve: () => values().map((x) => [x, passedAt(x), totalAt(x)] as const),
  };
}

/** A larger value fails more often when chance explains it this seldom. */
const unlikely = 0.002;
/** What is asked to find that out goes on a little longer, so that a few later trials do not undo it. */
export const clearlyUnlikely = unlikely / 2;

/** Whether a value passes less often than another one, by more than chance. */
export function passesLess(counts: AxisCounts, x: number, than: number, level = unlikely): boolean {
  const countAt = (at: number) => ({ passed: counts.passedAt(at), total: counts.totalAt(at) });
  if (counts.totalAt(x) === 0 || counts.totalAt(than) === 0) return false;
  return probabilityOfFewer(countAt(x), countAt(than)) <= level;
}

/** Whether no value passes less often than a smaller one: the one found, or else the one that passes most. */
export function isMonotonic(counts: AxisCounts, value: number | null): boolean {
  const least = value ?? speakingFor(counts);
  if (least === null) return true;
  return !failsAtTheEnd(counts) && !counts.values().some((x) => x > least && passesLess(counts, x, least));
}

/** Whether the values above the last one that passed fail by more than chance, taken together. */
export function failsAtTheEnd(counts: AxisCounts, level = unlikely): boolean {
  const passing = counts.values().filter((x) => counts.passedAt(x) > 0);
  const [first, last] = [passing[0], passing.at(-1)];
  if (first === undefined || last === undefined) return false;
  const together = (xs: readonly number[]) => ({
    passed: xs.reduce((sum, x) => sum + counts.passedAt(x), 0),
    total: xs.reduce((sum, x) => sum + counts.totalAt(x), 0),
  });
  const above = together(counts.values().filter((x) => x > last));
  const between = together(counts.values().filter((x) => x >= first && x <= last));
  return above.total > 0 && probabilityOfFewer(above, between) <= level;
}

/**
 * Where no value is reliable, the one that speaks for the cell: the largest asked, since nothing may pass more often than
 * that, or, where it never passes, the one of those that pass of which most is known; null: none ever passed.
 */
export function speakingFor(counts: AxisCounts): number | null {
  const passing = counts.values().filter((x) => counts.passedAt(x) > 0);
  const last = counts.values().at(-1);
  if (last !== undefined && last === passing.at(-1)) return last;
  // The one with the highest rate would look better than it is.
  return passing.reduce<number | null>(
    (most, x) => (most === null || counts.totalAt(x) >= counts.totalAt(most) ? x : most),
    null,
  );
}
