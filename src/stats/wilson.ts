import { normalQuantile } from './normal-quantile.js';

/**
 * Wilson's score interval for a rate: honest for small samples and at 0 and 1, where the textbook interval collapses.
 * @param confidence between 0 and 1, exclusive
 * @returns `[lo, hi]` as rates; `[0, 1]` without trials
 */
export function wilson(passed: number, total: number, confidence = 0.95): readonly [number, number] {
  if (total === 0) return [0, 1];
  const z = confidence === 0.95 ? usual : normalQuantile((1 + confidence) / 2);
  const rate = passed / total;
  const shrink = 1 + z ** 2 / total;
  const centre = (rate + z ** 2 / (2 * total)) / shrink;
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2));
  // Rounding must not keep the ends from being exactly 0 and 1.
  return [passed === 0 ? 0 : Math.max(0, centre - half), passed === total ? 1 : Math.min(1, centre + half)];
}

/** Every cell asks for this one. */
const usual = normalQuantile(0.975);
