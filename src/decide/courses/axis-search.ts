import {
  boundary,
  evidenceOfBroken,
  failuresTo,
  passesTo,
  reaches,
  stateOf,
  type BoundedTest,
  type TestState,
} from '../../stats/sequential-test.js';
import type { FindSpec } from '../../suite/probe.js';
import { clearlyFailsAgain, type AxisCounts } from './axis-counts.js';
import type { Asking } from './sample.js';

/** Asks at values of the axis, `times` at each, in one batch; false when no more answers come. */
export type AskAt = (values: readonly number[], times: number) => Asking<boolean>;

export interface Search {
  readonly spec: FindSpec;
  readonly counts: AxisCounts;
  readonly askAt: AskAt;
  /** Asks once at a value with one of the probe's texts; false when no more answers come. */
  readonly askText: (x: number, text: number) => Asking<boolean>;
  /** Asks once at each value, in one batch, each time with the next text; false when no more answers come. */
  readonly askInTurn: (values: readonly number[]) => Asking<boolean>;
  /** Trials at each value while searching. */
  readonly perValue: number;
  /** Decides whether a value is reliable, and whether one below it is not. */
  readonly test: BoundedTest;
  /** Whether values may be asked further, beyond `perValue`. */
  readonly proves: boolean;
}

/** A search that has asked so often, times `perValue`, ends with what it knows. */
export const mostTrials = 240;
/** A value fails outright when it never passed in so many trials. */
export const failuresOutright = 3;
/** Trials of a larger value that fails, at most. */
export const mostAbove = 10;

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
 * The smallest reliable value. Doubles to the first value that passes, bisects down to `tolerance`, and then asks until
 * both sides are settled: that the value just below fails, and that the value found is reliable. As soon as some value has
 * both passed and failed, single answers deceive, so every value is settled before the next one is chosen.
 * @returns null: no value is reliable
 */
export function* searchAxis(search: Search, start: number): Asking<number | null> {
  const { counts, spec, askAt } = search;
  while (!isOverLimit(search)) {
    const next = nextAsk(search, start);
    if (next === null) return counts.values().find((x) => looksGood(search, x)) ?? null;
    if (!(yield* askAt([next.x], next.times))) break;
    // Where even the largest value passes only sometimes, a value below it that proved unreliable has no better one above.
    if (search.proves && isRejected(search, next.x)) {
      if (!(yield* prove(search, spec.to))) break;
      if (isRejected(search, spec.to)) return null;
    }
  }
  return counts.values().find((x) => neverFailed(search, x) || stateAt(search, x) === 'reliable') ?? null;
}

export function isOverLimit({ counts, perValue }: Search): boolean {
  return counts.trials() >= mostTrials * perValue;
}

interface NextAsk {
  readonly x: number;
  readonly times: number;
}

/** What is to be asked next; null when everything is settled. */
function nextAsk(search: Search, start: number): NextAsk | null {
  const { counts, spec, perValue } = search;
  const step = nextStep(search, start);
  if (step !== null) return { x: step, times: perValue };
  const high = counts.values().find((x) => looksGood(search, x));
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

/** Whether it passes sometimes, but is not reliable. */
export function isRejected(search: Search, x: number): boolean {
  return search.counts.passedAt(x) > 0 && !looksGood(search, x);
}

/**
 * Asks at the larger values too, since some services fail again there: each doubling once, and those that fail, from the
 * largest on, until they pass or the difference is more than chance. The smaller values were asked with many texts, so
 * these are as well: a text that fails at times wherever it is asked would make all of them look worse.
 */
export function* lookAbove(search: Search, value: number): Asking<void> {
  const { counts, spec, askAt, askInTurn } = search;
  const above = stepsFrom(spec.from, spec).filter((x) => x > value && counts.totalAt(x) === 0);
  if (above.length > 0 && !(yield* askInTurn(above))) return;
  // Its text may be one that fails at times at any value, so the end of the axis takes more than that one.
  const isOpen = (x: number) =>
    counts.passedAt(x) === 0 &&
    ((x === spec.to && counts.totalAt(x) < failuresOutright) ||
      (counts.totalAt(x) < mostAbove && !clearlyFailsAgain(counts)));
  const open = () => counts.values().findLast((x) => x > value && isOpen(x)) ?? null;
  for (let failing = open(); failing !== null; failing = open()) if (!(yield* askAt([failing], 1))) return;
}

/**
 * Where no value has passed, asks at each doubling until it has been asked so many times or one passes: a value that
 * passes in most trials may fail the only one that a search gives it.
 */
export function* insist(search: Search, times: number): Asking<void> {
  const { counts, spec, askAt } = search;
  const open = () => stepsFrom(spec.from, spec).filter((x) => counts.totalAt(x) < times);
  const hasPassed = () => counts.values().some((x) => counts.passedAt(x) > 0);
  for (let again = open(); again.length > 0 && !hasPassed(); again = open()) if (!(yield* askAt(again, 1))) return;
}

/** Asks until the test has decided; false when no more answers come. */
export function* prove(search: Search, x: number): Asking<boolean> {
  for (let missing = missingAt(search, x); missing > 0; missing = missingAt(search, x))
    if (!(yield* search.askAt([x], missing))) return false;
  return true;
}

/** The next value of the doubling that was not asked yet and has none below it that passes. */
function nextStep(search: Search, start: number): number | null {
  const { counts, spec } = search;
  const passing = counts.values().find((x) => looksGood(search, x)) ?? Infinity;
  return stepsFrom(start, spec).find((x) => counts.totalAt(x) === 0 && x < passing) ?? null;
}

function stepsFrom(start: number, spec: FindSpec): readonly number[] {
  const steps = [start];
  for (let x = start; x < spec.to;) steps.push((x = doubled(x, spec)));
  return steps;
}

/** By the trials so far. A value that has failed once and passed once is still worth a proof. */
export function looksGood(search: Search, x: number): boolean {
  const { counts, proves, test } = search;
  const [passed, total] = [counts.passedAt(x), counts.totalAt(x)];
  if (!proves) return passed > 0 && evidenceOfBroken(test, passed, total - passed) < 0;
  const state = stateAt(search, x);
  // What the test leaves open after all its trials is not proven.
  return passed > 0 && (state === 'reliable' || (state === 'open' && total < mostAt(search)));
}

const mostAt = ({ test, perValue }: Search): number => Math.max(test.max, perValue);

/**
 * The test takes some unreliable values for reliable. Of many that pass only sometimes, it is likely to take one, so there
 * it asks for more; what holds over all trials that a value may get is no stroke of luck.
 */
function stateAt(search: Search, x: number): TestState {
  const { counts, test } = search;
  const [passed, total] = [counts.passedAt(x), counts.totalAt(x)];
  const state = stateOf(test, passed, total - passed);
  if (state !== 'reliable' || total >= mostAt(search)) return state;
  return reaches(-evidenceOfBroken(test, passed, total - passed), boundaryAt(search, x)) ? 'reliable' : 'open';
}

/** The boundary of the test at a value: all values at which it passes only sometimes share its error. */
function boundaryAt({ counts, test }: Search, x: number): number {
  const others = counts.values().filter((other) => other !== x && passesByChance(counts, other)).length;
  return boundary({ ...test, error: test.error / (1 + others) });
}

/** A text that fails wherever it was asked is no matter of chance. */
function passesByChance(counts: AxisCounts, x: number): boolean {
  return isMixedAt(counts, x) && counts.textsFailingAt(x).some((text) => counts.hasPassed(text));
}

function neverFailed({ counts }: Search, x: number): boolean {
  return counts.totalAt(x) > 0 && counts.passedAt(x) === counts.totalAt(x);
}

/** Whether it failed outright, or is unreliable by the test. */
function isSettled(search: Search, x: number): boolean {
  const { counts, test, proves } = search;
  const [passed, total] = [counts.passedAt(x), counts.totalAt(x)];
  if (!proves || total >= mostAt(search)) return true;
  return passed === 0 ? total >= failuresOutright : stateOf(test, passed, total - passed) === 'broken';
}

/** Further trials until the test may decide on a value; 0 when it has, or when there are to be no more. */
function missingAt(search: Search, x: number): number {
  const { counts, test, proves } = search;
  const [passed, total] = [counts.passedAt(x), counts.totalAt(x)];
  if (!proves || stateAt(search, x) !== 'open') return 0;
  const evidence = evidenceOfBroken(test, passed, total - passed);
  const fewest = Math.min(passesTo(test, evidence, -boundaryAt(search, x)), failuresTo(test, evidence, boundary(test)));
  return Math.max(0, Math.min(fewest, mostAt(search) - total));
}

/** Whether some value has both passed and failed, so that a single failure at another one says little. */
function isMixed({ counts }: Search): boolean {
  return counts.values().some((x) => isMixedAt(counts, x));
}

const isMixedAt = (counts: AxisCounts, x: number): boolean =>
  counts.passedAt(x) > 0 && counts.passedAt(x) < counts.totalAt(x);

/** The largest value asked below `x` at which it does not pass. */
export function failingBelow(search: Search, x: number): number | null {
  return search.counts.values().findLast((value) => value < x && !looksGood(search, value)) ?? null;
}

/** Never above `to`; 0, which cannot be doubled, is followed by a first step. */
export function doubled(x: number, { to }: FindSpec): number {
  return Math.min(to, x > 0 ? x * 2 : 1);
}

/** Whole numbers between whole numbers; null where they are within the tolerance, or nothing lies between. */
export function between(low: number, high: number, spec: FindSpec): number | null {
  if (high <= low * (1 + spec.tolerance)) return null;
  const middle = isWhole(spec) ? Math.floor((low + high) / 2) : (low + high) / 2;
  return middle > low && middle < high ? middle : null;
}

export const isWhole = (spec: FindSpec): boolean => Number.isInteger(spec.from) && Number.isInteger(spec.to);
