import type { Count } from './count.js';

/**
 * The chance of at least so many passes in so many further trials, if all that is known of the rate is what was seen
 * before and every rate was equally likely at first (Laplace's rule of succession; the beta-binomial distribution).
 * @returns a probability in (0, 1]
 */
export function chanceOfAsMany({ passed, total }: Count, before: Count): number {
  const failed = total - passed;
  const [a, b] = [before.passed + 1, before.total - before.passed + 1];
  // All pass; each further failure multiplies what stands before it.
  let term = 1;
  for (let k = 0; k < total; k += 1) term *= (a + k) / (a + b + k);
  let chance = term;
  for (let k = 1; k <= failed; k += 1) {
    term *= ((total - k + 1) / k) * ((b + k - 1) / (a + total - k));
    chance += term;
  }
  return chance;
}
