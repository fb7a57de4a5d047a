/** Passes among trials. */
export interface Count {
  readonly passed: number;
  readonly total: number;
}

/** All trials together; 0 of 0 where there are none. */
export function sumOf(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    total: counts.reduce((sum, { total }) => sum + total, 0),
  };
}

/** The 0.975 quantile of the standard normal distribution, which leaves 5 % outside (NIST e-Handbook, 1.3.6.7.1). */
const z = 1.959963984540054;

/**
 * Wilson's score interval for a rate at 95 % confidence. Unlike the textbook interval it stays sound for small samples
 * and does not collapse at rates of 0 and 1 (Wilson 1927; Newcombe 1998, method 3).
 * @returns `[lo, hi]` as rates; `[0, 1]` without trials
 */
export function wilson(passed: number, total: number): readonly [number, number] {
  if (total === 0) return [0, 1];
  const rate = passed / total;
  const shrink = 1 + z ** 2 / total;
  const centre = (rate + z ** 2 / (2 * total)) / shrink;
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2));
  // Rounding could otherwise keep the ends from being exactly 0 and 1.
  return [passed === 0 ? 0 : Math.max(0, centre - half), passed === total ? 1 : Math.min(1, centre + half)];
}
