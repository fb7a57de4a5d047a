import type { Ask } from '../../../plan/plan.js';
import { sumOf, type Count } from '../../../stats/count.js';
import { boundOver, evidenceOfTwoRates } from '../../../stats/evidence.js';
import {
  boundary,
  evidenceOfBroken,
  failuresTo,
  passesTo,
  reaches,
  sequentialTestState,
  type BoundedTest,
  type TestState,
} from '../../../stats/sequential-test.js';
import type { FindSpec } from '../../../suite/probe.js';
import type { Asking, Sample } from '../sample.js';

export interface Search {
  readonly spec: FindSpec;
  readonly counts: AxisCounts;
  /** Asks at values of the axis, `times` at each, in one batch; false when no more answers come. */
  readonly askAt: (values: readonly number[], times: number) => Asking<boolean>;
  readonly isExhausted: () => boolean;
  /** Trials at each value while searching. */
  readonly perValue: number;
  /** Decides whether a value is reliable, and whether one below it is not. */
  readonly test: BoundedTest;
  /** Whether values may be asked further, beyond `perValue`. */
  readonly proves: boolean;
}

/** A search that has asked so often, times `perValue`, ends with what it knows. */
export const mostSearchTrials = 240;
/** A value fails outright when it never passed in so many trials. */
export const failuresOutright = 3;
/** Trials of a larger value that fails, at most. */
export const mostAbove = 10;

/** Searches, and then asks at larger values: what is seen there may ask for a better proof of the value found. */
export function* searchAll(search: Search, start = search.spec.from): Asking<number | null> {
  for (;;) {
    const value = yield* searchAxis(search, start);
    if (!search.proves || search.isExhausted()) return value;
    const passing = value ?? speakingFor(search.counts);
    if (passing !== null) yield* lookAbove(search, passing);
    const isProven = value === null || ((yield* prove(search, value)) && looksGood(search, value));
    if (isProven || isOverLimit(search) || search.isExhausted()) return value;
  }
}

/**
 * The smallest reliable value. Doubles to the first value that passes, bisects down to `tolerance`, and then asks until
 * both sides are settled: that the value just below fails, and that the value found is reliable. As soon as some value
 * has both passed and failed, single answers deceive, so every value is settled before the next one is chosen.
 * @returns null: no value is reliable
 */
function* searchAxis(search: Search, start: number): Asking<number | null> {
  const { counts, spec, askAt } = search;
  while (!isOverLimit(search)) {
    const next = nextAsk(search, start);
    if (next === null) return counts.values().find((x) => looksGood(search, x)) ?? null;
    if (!(yield* askAt([next.x], next.times))) break;
    // Where even the largest value passes only sometimes, a value below it that proved unreliable has no better one
    // above.
    if (search.proves && isRejected(search, next.x)) {
      if (!(yield* prove(search, spec.to))) break;
      if (isRejected(search, spec.to)) return null;
    }
  }
  return counts.values().find((x) => neverFailed(search, x) || stateAt(search, x) === 'reliable') ?? null;
}

const isOverLimit = ({ counts, perValue }: Search): boolean => counts.trials() >= mostSearchTrials * perValue;

/** The next question; null when everything is settled. */
function nextAsk(search: Search, start: number): { readonly x: number; readonly times: number } | null {
  const { counts, spec, perValue } = search;
  const high = counts.values().find((x) => looksGood(search, x));
  const step = stepsFrom(start, spec).find((x) => counts.at(x).total === 0 && x < (high ?? Infinity));
  if (step !== undefined) return { x: step, times: perValue };
  // All values were asked with the first sample, which may be one that fails at any value.
  if (high === undefined) return isSettled(search, spec.to) ? null : { x: spec.to, times: 1 };
  const low = failingBelow(search, high);
  const middle = low === null ? null : between(low, high, spec);
  const proof = { x: high, times: missingAt(search, high) };
  const settling = low !== null && !isSettled(search, low) ? { x: low, times: 1 } : null;
  const bisecting = middle === null ? null : { x: middle, times: perValue };
  const order = isMixed(search) ? [proof, settling, bisecting] : [bisecting, settling, proof];
  return order.find((one) => one !== null && one.times > 0) ?? null;
}

/**
 * Asks at the larger values too, since some services fail again there: each doubling once, and those that fail, from
 * the largest on, until they pass or the difference is more than chance.
 */
function* lookAbove(search: Search, value: number): Asking<void> {
  const { counts, spec, askAt } = search;
  const above = stepsFrom(spec.from, spec).filter((x) => x > value && counts.at(x).total === 0);
  if (above.length > 0 && !(yield* askAt(above, 1))) return;
  const isOpen = (x: number) => {
    const { passed, total } = counts.at(x);
    // The end of the axis speaks for the cell.
    const isFew = x === spec.to && total < failuresOutright;
    return passed === 0 && (isFew || (total < mostAbove && !failsAgain(counts, beyondDoubt)));
  };
  const open = () => counts.values().findLast((x) => x > value && isOpen(x)) ?? null;
  for (let failing = open(); failing !== null; failing = open()) if (!(yield* askAt([failing], 1))) return;
}

/**
 * Where no value has passed, asks at each doubling until it has been asked so many times or one passes: a value that
 * passes in most trials may fail the only one that a search gives it.
 */
export function* insist({ counts, spec, askAt }: Search, times: number): Asking<void> {
  const open = () => stepsFrom(spec.from, spec).filter((x) => counts.at(x).total < times);
  const hasPassed = () => counts.values().some((x) => counts.at(x).passed > 0);
  for (let again = open(); again.length > 0 && !hasPassed(); again = open()) if (!(yield* askAt(again, 1))) return;
}

/** Asks until the test has decided; false when no more answers come. */
export function* prove(search: Search, x: number): Asking<boolean> {
  for (let missing = missingAt(search, x); missing > 0; missing = missingAt(search, x)) {
    if (!(yield* search.askAt([x], missing))) return false;
  }
  return true;
}

/** Doubling; 0, which cannot be doubled, is followed by 1. */
function stepsFrom(start: number, { to }: FindSpec): readonly number[] {
  const steps = [start];
  for (let x = start; x < to;) steps.push((x = Math.min(to, x > 0 ? x * 2 : 1)));
  return steps;
}

/** By the trials so far. A value that has failed once and passed once is still worth a proof. */
function looksGood(search: Search, x: number): boolean {
  const { counts, proves, test } = search;
  const { passed, total } = counts.at(x);
  if (counts.cutsText(x)) return false;
  if (!proves) return passed > 0 && evidenceOfBroken(test, passed, total - passed) < 0;
  const state = stateAt(search, x);
  // A value that the test leaves open after all its trials is not proven.
  return passed > 0 && (state === 'reliable' || (state === 'open' && total < mostAt(search)));
}

/** Whether it passes sometimes, but is not reliable. */
export const isRejected = (search: Search, x: number): boolean =>
  search.counts.at(x).passed > 0 && !looksGood(search, x);

const mostAt = ({ test, perValue }: Search): number => Math.max(test.max, perValue);

/**
 * The test takes some unreliable values for reliable. Of many that pass only sometimes, it is likely to take one, so
 * there it asks for more; what holds over all trials that a value may get is no stroke of luck.
 */
function stateAt(search: Search, x: number): TestState {
  const { counts, test } = search;
  const { passed, total } = counts.at(x);
  const state = sequentialTestState(test, passed, total - passed);
  if (state !== 'reliable' || total >= mostAt(search)) return state;
  return reaches(-evidenceOfBroken(test, passed, total - passed), boundaryAt(search, x)) ? 'reliable' : 'open';
}

/** The boundary of the test at a value: all values at which it passes only sometimes share its error. */
function boundaryAt(search: Search, x: number): number {
  const others = search.counts.values().filter((other) => other !== x && isMixedAt(search, other)).length;
  return boundary({ ...search.test, error: search.test.error / (1 + others) });
}

const neverFailed = ({ counts }: Search, x: number): boolean => counts.at(x).passed === counts.at(x).total;

/** Whether it failed outright, or is unreliable by the test. */
function isSettled(search: Search, x: number): boolean {
  const { passed, total } = search.counts.at(x);
  if (!search.proves || total >= mostAt(search) || search.counts.cutsText(x)) return true;
  return passed === 0
    ? total >= failuresOutright
    : sequentialTestState(search.test, passed, total - passed) === 'broken';
}

/** Further trials until the test may decide on a value; 0 when it has, or when there are to be no more. */
function missingAt(search: Search, x: number): number {
  const { counts, test, proves } = search;
  const { passed, total } = counts.at(x);
  if (!proves || stateAt(search, x) !== 'open') return 0;
  const evidence = evidenceOfBroken(test, passed, total - passed);
  const fewest = Math.min(passesTo(test, evidence, -boundaryAt(search, x)), failuresTo(test, evidence, boundary(test)));
  return Math.max(0, Math.min(fewest, mostAt(search) - total));
}

/** Whether some value has both passed and failed, so that a single failure at another one says little. */
const isMixed = (search: Search): boolean => search.counts.values().some((x) => isMixedAt(search, x));

function isMixedAt({ counts }: Search, x: number): boolean {
  const { passed, total } = counts.at(x);
  return passed > 0 && passed < total;
}

/** The largest value asked below `x` at which it does not pass. */
export const failingBelow = (search: Search, x: number): number | null =>
  search.counts.values().findLast((value) => value < x && !looksGood(search, value)) ?? null;

/** Whole numbers between whole numbers; null where they are within the tolerance, or nothing lies between. */
function between(low: number, high: number, spec: FindSpec): number | null {
  if (high <= low * (1 + spec.tolerance)) return null;
  const middle = isIntegerSearch(spec) ? Math.floor((low + high) / 2) : (low + high) / 2;
  return middle > low && middle < high ? middle : null;
}

export const isIntegerSearch = (spec: FindSpec): boolean => Number.isInteger(spec.from) && Number.isInteger(spec.to);

/** Trials at each value of an axis; read on every call, so that later trials count as well. */
interface AxisCounts {
  readonly at: (x: number) => Count;
  /** Ascending. */
  readonly values: () => readonly number[];
  /** At all values together. */
  readonly trials: () => number;
  /** Whether the value is too low for some text of the samples: each of two answers or more to it was cut there. */
  readonly cutsText: (x: number) => boolean;
}

const zeroCount: Count = { passed: 0, total: 0 };

/**
 * @param valueOf null: the ask was not about the axis
 * @param texts how many the probe has; its trials take them in turn
 */
export function countAlongAxis(sample: Sample, valueOf: (ask: Ask) => number | null, texts: number): AxisCounts {
  const counted = new Map<number, Count>();
  /** By value and text: answers that were not cut, of all. */
  const whole = new Map<string, Count>();
  let seen = 0;
  const upToDate = () => {
    for (const { ask, outcome } of sample.judgedSince(seen)) {
      seen += 1;
      const x = valueOf(ask);
      if (x === null) continue;
      counted.set(x, sumOf([counted.get(x) ?? zeroCount, { passed: outcome.passed ? 1 : 0, total: 1 }]));
      if (texts === 0) continue;
      const key = `${x}/${ask.sample % texts}`;
      const isWhole = outcome.passed || outcome.class !== 'truncated';
      whole.set(key, sumOf([whole.get(key) ?? zeroCount, { passed: isWhole ? 1 : 0, total: 1 }]));
    }
    return counted;
  };
  const isCut = (key: string): boolean => {
    const { passed, total } = whole.get(key) ?? zeroCount;
    return passed === 0 && total >= 2;
  };
  return {
    at: (x) => upToDate().get(x) ?? zeroCount,
    values: () => [...upToDate().keys()].sort((a, b) => a - b),
    trials: () => sumOf([...upToDate().values()]).total,
    cutsText: (x) => upToDate().has(x) && Array.from({ length: texts }, (_, text) => `${x}/${text}`).some(isCut),
  };
}

/**
 * What is asked to find out that larger values fail again goes on a little longer, so that a later trial does not undo
 * it.
 */
const beyondDoubt = Math.log10(2);

/**
 * Whether some value, or a row of values up to the largest one, passes less often than all the smaller ones together,
 * by the evidence over all these comparisons. The smaller ones go back to the first that ever passed: the value found
 * alone looks better than it is, because it was chosen for having passed.
 */
export function failsAgain(counts: AxisCounts, beyond = 0): boolean {
  const values = counts.values();
  const first = values.findIndex((x) => counts.at(x).passed > 0);
  if (first === -1) return false;
  const larger = values.slice(first + 1);
  const bound = boundOver(2 * larger.length) + beyond;
  const together = (xs: readonly number[]): Count => sumOf(xs.map(counts.at));
  return larger.some((x, index) => {
    const smaller = together(values.slice(first, first + 1 + index));
    return [[x], larger.slice(index)].some((compared) => evidenceOfTwoRates(smaller, together(compared)) >= bound);
  });
}

/**
 * Where no value is reliable, the one that speaks for the cell: the largest asked, since nothing may pass more often
 * than that, or, where it never passes, the one of those that pass of which most is known; null: none ever passed.
 */
export function speakingFor(counts: AxisCounts): number | null {
  const passing = counts.values().filter((x) => counts.at(x).passed > 0);
  const last = counts.values().at(-1);
  if (last !== undefined && last === passing.at(-1)) return last;
  // The one with the highest rate would look better than it is.
  const most = Math.max(...passing.map((x) => counts.at(x).total));
  return passing.findLast((x) => counts.at(x).total === most) ?? null;
}
