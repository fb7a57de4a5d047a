import type { FindSpec } from '../../suite/probe.js';
import type { AxisCounts } from './axis-counts.js';
import type { Asking } from './sample.js';

/** Asks at values of the axis, `times` at each, in one batch; false when no more answers come. */
export type AskAt = (values: readonly number[], times: number) => Asking<boolean>;

export interface Search {
  readonly spec: FindSpec;
  readonly counts: AxisCounts;
  readonly askAt: AskAt;
  /** Trials at each value while searching. */
  readonly perValue: number;
  /** Whether the probe passes at a value, by the trials so far. */
  readonly passesAt: (x: number) => boolean;
  /** Further trials that a value needs before it is called the threshold. */
  readonly missing: (x: number) => number;
}

/** After this many bisections that ended in a value that fails its proof, only doubled values are tried. */
export const mostBisections = 4;

/** The values that a search asks at: doubling from `from` to `to`, and then bisecting one doubling to the tolerance. */
export function valuesAsked({ from, to, tolerance }: FindSpec): {
  readonly doublings: number;
  readonly bisections: number;
} {
  return {
    doublings: Math.max(0, Math.ceil(Math.log2(to / from))) + 1,
    bisections: Math.max(0, Math.ceil(Math.log2(1 / tolerance))),
  };
}

/**
 * Doubles from `start` to the first value that passes, bisects down to `tolerance`, and asks the value found again.
 * Near a threshold answers differ from trial to trial, and a value that passed once by chance is useless.
 * @returns the smallest value that passes, or null: none does, or none does reliably
 */
export function* searchAxis(search: Search, start: number): Asking<number | null> {
  const { spec } = search;
  let passing = yield* double(search, start);
  for (let tries = 0; passing !== null; tries++) {
    const value: number = tries < mostBisections ? yield* bisect(search, passing) : passing;
    if (yield* proven(search, value)) return value;
    passing = passingAbove(search, value) ?? (value >= spec.to ? null : yield* double(search, doubled(value, spec)));
  }
  return null;
}

function* proven(search: Search, value: number): Asking<boolean> {
  for (let missing = search.missing(value); missing > 0; missing = search.missing(value))
    if (!(yield* search.askAt([value], missing))) break;
  return search.passesAt(value);
}

function* double({ counts, spec, askAt, perValue, passesAt }: Search, start: number): Asking<number | null> {
  for (let x = start; ; x = doubled(x, spec)) {
    if (counts.totalAt(x) === 0 && !(yield* askAt([x], perValue))) return passesAt(x) ? x : null;
    if (passesAt(x)) return x;
    if (x >= spec.to) return null;
  }
}

/** Ends early, at the smallest value known to pass, when no more answers come. */
function* bisect(search: Search, passing: number): Asking<number> {
  let high = passing;
  for (;;) {
    const low = failingBelow(search, high);
    if (low === null || high <= low * (1 + search.spec.tolerance)) return high;
    const middle = between(low, high, search.spec);
    if (middle === null || !(yield* search.askAt([middle], search.perValue))) return high;
    if (search.passesAt(middle)) high = middle;
  }
}

/** The largest value asked below `x` at which it does not pass. */
export function failingBelow({ counts, passesAt }: Search, x: number): number | null {
  return counts.values().findLast((value) => value < x && !passesAt(value)) ?? null;
}

function passingAbove({ counts, passesAt }: Search, x: number): number | null {
  return counts.values().find((value) => value > x && passesAt(value)) ?? null;
}

/** Never above `to`; 0, which cannot be doubled, is followed by a first step. */
export function doubled(x: number, { to }: FindSpec): number {
  return Math.min(to, x > 0 ? x * 2 : 1);
}

/** Whole numbers between whole numbers; null where nothing lies between. */
function between(low: number, high: number, spec: FindSpec): number | null {
  const middle = isWhole(spec) ? Math.floor((low + high) / 2) : (low + high) / 2;
  return middle > low && middle < high ? middle : null;
}

export const isWhole = (spec: FindSpec): boolean => Number.isInteger(spec.from) && Number.isInteger(spec.to);
