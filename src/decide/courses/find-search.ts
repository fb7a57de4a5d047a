import type { FindSpec } from '../../suite/probe.js';
import type { AxisCounts } from './axis-counts.js';
import type { Asking } from './sample.js';

/** Asks at values of the axis, `times` at each, in one batch; false when answers stopped coming. */
export type AskAt = (values: readonly number[], times: number) => Asking<boolean>;

export interface Search {
  readonly spec: FindSpec;
  readonly counts: AxisCounts;
  readonly askAt: AskAt;
  /** Trials at each value while searching. */
  readonly perValue: number;
  /** Whether the probe can be said to pass at a value, by what was seen there. */
  readonly holds: (x: number) => boolean;
  /** Further trials that a value wants before it is called the threshold. */
  readonly doubtful: (x: number) => number;
}

/** How often a value that fails its proof is followed by a bisection; then only doubled values are tried. */
const bisections = 4;

/**
 * Doubles from `start` to the first value that passes, bisects down to `tolerance`, and asks the value found again: near
 * a threshold answers differ from trial to trial, and a value that passed once by luck is of no use to anybody.
 * @returns the smallest value that passes, or null: none does, or none does reliably
 */
export function* searchAxis(search: Search, start: number): Asking<number | null> {
  const { spec } = search;
  let passing = yield* double(search, start);
  for (let tries = 0; passing !== null; tries++) {
    const value: number = tries < bisections ? yield* bisect(search, passing) : passing;
    if (yield* proven(search, value)) return value;
    passing = passingAbove(search, value) ?? (value >= spec.to ? null : yield* double(search, doubled(value, spec)));
  }
  return null;
}

function* proven(search: Search, value: number): Asking<boolean> {
  for (let missing = search.doubtful(value); missing > 0; missing = search.doubtful(value))
    if (!(yield* search.askAt([value], missing))) break;
  return search.holds(value);
}

function* double({ counts, spec, askAt, perValue, holds }: Search, start: number): Asking<number | null> {
  for (let x = start; ; x = doubled(x, spec)) {
    if (counts.totalAt(x) === 0 && !(yield* askAt([x], perValue))) return holds(x) ? x : null;
    if (holds(x)) return x;
    if (x >= spec.to) return null;
  }
}

/** Ends early, at the smallest value known to pass, when answers stop coming. */
function* bisect(search: Search, passing: number): Asking<number> {
  let high = passing;
  for (;;) {
    const low = failingBelow(search, high);
    if (low === null || high <= low * (1 + search.spec.tolerance)) return high;
    const middle = between(low, high, search.spec);
    if (middle === null || !(yield* search.askAt([middle], search.perValue))) return high;
    if (search.holds(middle)) high = middle;
  }
}

/** The largest value below `x` at which it cannot be said to pass. */
export function failingBelow({ counts, holds }: Search, x: number): number | null {
  return counts.values().findLast((value) => value < x && !holds(value)) ?? null;
}

function passingAbove({ counts, holds }: Search, x: number): number | null {
  return counts.values().find((value) => value > x && holds(value)) ?? null;
}

/** Never past `to`; an axis that starts at 0 must leave it. */
export function doubled(x: number, { to }: FindSpec): number {
  return Math.min(to, x > 0 ? x * 2 : 1);
}

/** Whole numbers between whole numbers; null where nothing lies between. */
function between(low: number, high: number, spec: FindSpec): number | null {
  const middle = isWhole(spec) ? Math.floor((low + high) / 2) : (low + high) / 2;
  return middle > low && middle < high ? middle : null;
}

export const isWhole = (spec: FindSpec): boolean => Number.isInteger(spec.from) && Number.isInteger(spec.to);
