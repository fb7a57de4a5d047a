import { type Count, sumOf } from '../../../stats/count.js';
import { boundOver, evidenceOfTwoRates } from '../../../stats/evidence.js';
import type { Ask } from '../../../plan/ticket.js';
import type { Sample } from '../sample.js';

/** What was seen at each value of an axis; asked on every call, so that later trials count as well. */
export interface AxisCounts {
  readonly at: (x: number) => Count;
  /** Ascending. */
  readonly values: () => readonly number[];
  /** At all values together. */
  readonly trials: () => number;
  /** Whether the value is too low for some text of the samples: each of two answers or more to it was cut there. */
  readonly cutsText: (x: number) => boolean;
}

const none: Count = { passed: 0, total: 0 };

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
      counted.set(x, sumOf([counted.get(x) ?? none, { passed: outcome.passed ? 1 : 0, total: 1 }]));
      if (texts === 0) continue;
      const key = `${x}/${ask.sample % texts}`;
      const isWhole = outcome.passed || outcome.class !== 'truncated';
      whole.set(key, sumOf([whole.get(key) ?? none, { passed: isWhole ? 1 : 0, total: 1 }]));
    }
    return counted;
  };
  const isCut = (key: string): boolean => {
    const { passed, total } = whole.get(key) ?? none;
    return passed === 0 && total >= 2;
  };
  return {
    at: (x) => upToDate().get(x) ?? none,
    values: () => [...upToDate().keys()].sort((a, b) => a - b),
    trials: () => sumOf([...upToDate().values()]).total,
    cutsText: (x) => upToDate().has(x) && Array.from({ length: texts }, (_, text) => `${x}/${text}`).some(isCut),
  };
}

/** What is asked to find out that larger values fail again goes on a little longer, so that a later trial does not undo it. */
export const beyondDoubt = Math.log10(2);

/**
 * Whether some value, or a row of values up to the largest one, passes less often than all the smaller ones together, by the
 * evidence over all these comparisons. The smaller ones go back to the first that ever passed: the value found alone looks
 * better than it is, because it was chosen for having passed.
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
 * Where no value is reliable, the one that speaks for the cell: the largest asked, since nothing may pass more often than
 * that, or, where it never passes, the one of those that pass of which most is known; null: none ever passed.
 */
export function speakingFor(counts: AxisCounts): number | null {
  const passing = counts.values().filter((x) => counts.at(x).passed > 0);
  const last = counts.values().at(-1);
  if (last !== undefined && last === passing.at(-1)) return last;
  // The one with the highest rate would look better than it is.
  const most = Math.max(...passing.map((x) => counts.at(x).total));
  return passing.findLast((x) => counts.at(x).total === most) ?? null;
}
