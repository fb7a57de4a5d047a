import { type Count, sumOf } from '../../stats/count.js';
import { boundOver, evidence } from '../../stats/evidence.js';
import type { Threshold } from '../course.js';

/** What was seen at each value of an axis. */
export interface AxisCounts {
  totalAt(x: number): number;
  passedAt(x: number): number;
  /** Those of one text alone. */
  textAt(x: number, text: number): Count;
  /** Which texts failed, ascending. */
  textsFailingAt(x: number): readonly number[];
  /** Whether every failure of a text was an answer that ended at the cap. */
  isOnlyCutAt(x: number, text: number): boolean;
  /** Whether a text has passed at any value. */
  hasPassed(text: number): boolean;
  /** At all values together. */
  trials(): number;
  /** Ascending. */
  values(): readonly number[];
  curve(): Threshold['curve'];
}

interface TextCount extends Count {
  /** Failures that were answers cut at the cap. */
  readonly cut: number;
}

const none: TextCount = { passed: 0, total: 0, cut: 0 };

/** One judged trial. */
interface AtValue {
  readonly x: number;
  readonly text: number;
  readonly passed: boolean;
  readonly cut: boolean;
}

/** @param seen every judged trial from the given one on; asked on every call, so that later trials count as well */
export function countAlongAxis(seen: (from: number) => readonly AtValue[]): AxisCounts {
  const counted = new Map<number, { passed: number; total: number; readonly texts: Map<number, TextCount> }>();
  let trials = 0;
  const upToDate = () => {
    for (const { x, passed, cut, text } of seen(trials)) {
      const at = counted.get(x) ?? { passed: 0, total: 0, texts: new Map<number, TextCount>() };
      counted.set(x, at);
      at.total += 1;
      if (passed) at.passed += 1;
      const before = at.texts.get(text) ?? none;
      at.texts.set(text, {
        passed: before.passed + (passed ? 1 : 0),
        total: before.total + 1,
        cut: before.cut + (cut ? 1 : 0),
      });
      trials += 1;
    }
    return counted;
  };
  const values = () => [...upToDate().keys()].sort((a, b) => a - b);
  const totalAt = (x: number) => upToDate().get(x)?.total ?? 0;
  const passedAt = (x: number) => upToDate().get(x)?.passed ?? 0;
  const textAt = (x: number, text: number) => upToDate().get(x)?.texts.get(text) ?? none;
  return {
    totalAt,
    passedAt,
    textAt,
    textsFailingAt: (x) =>
      [...(upToDate().get(x)?.texts ?? [])]
        .filter(([, { passed, total }]) => passed < total)
        .map(([text]) => text)
        .sort((a, b) => a - b),
    isOnlyCutAt(x, text) {
      const { passed, total, cut } = textAt(x, text);
      return cut > 0 && cut === total - passed;
    },
    hasPassed: (text) => [...upToDate().values()].some(({ texts }) => (texts.get(text)?.passed ?? 0) > 0),
    values,
    trials() {
      upToDate();
      return trials;
    },
    curve: () => values().map((x) => [x, passedAt(x), totalAt(x)] as const),
  };
}

/** What is asked to find out that larger values fail again goes on a little longer, so that a later trial does not undo it. */
const beyondDoubt = Math.log10(2);

/**
 * Whether no value, and no row of values up to the largest one, passes less often than all the smaller ones together, by the
 * evidence over all these comparisons. The smaller ones go back to the first that ever passed: the value found alone looks
 * better than it is, because it was chosen for having passed.
 */
export function isMonotonic(counts: AxisCounts): boolean {
  return !failsAgain(counts, 0);
}

/** Whether it was asked often enough to say that larger values fail again. */
export function clearlyFailsAgain(counts: AxisCounts): boolean {
  return failsAgain(counts, beyondDoubt);
}

function failsAgain(counts: AxisCounts, beyond: number): boolean {
  const values = counts.values();
  const first = values.findIndex((x) => counts.passedAt(x) > 0);
  if (first === -1) return false;
  const larger = values.slice(first + 1);
  const bound = boundOver(2 * larger.length) + beyond;
  return larger.some((x, index) => {
    const smaller = together(counts, values.slice(first, first + 1 + index));
    return [[x], larger.slice(index)].some((compared) => evidence(smaller, together(counts, compared)) >= bound);
  });
}

const together = (counts: AxisCounts, xs: readonly number[]): Count =>
  sumOf(xs.map((x) => ({ passed: counts.passedAt(x), total: counts.totalAt(x) })));

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
