import type { Count } from './count.js';
import { chancesOfPasses, fewestOf } from './exact-test.js';

/** Two samples of one cell, which share its rate unless something changed. */
export interface Stratum {
  readonly fresh: Count;
  readonly baseline: Count;
}

/** So negative a slope leaves nothing but the fewest passes that a cell can have. */
const steepest = -40;
const halvings = 40;

/**
 * A bound on the one-sided exact test over many cells, each of which has a rate of its own: the probability that all fresh
 * samples together pass this rarely, or more rarely, if no rate changed. Cells in which nothing failed, or nothing passed,
 * say nothing and cost nothing. It is Chernoff's bound, which is never below the exact probability, and which takes no longer
 * for more passes.
 * @returns a p-value in [0, 1]
 */
export function boundOfFewer(strata: readonly Stratum[]): number {
  const cells = strata.map(({ fresh, baseline }) => ({
    above: fresh.passed - fewestOf(fresh, baseline),
    chances: chancesOfPasses(fresh, baseline),
  }));
  const telling = cells.filter(({ chances }) => chances.length > 1);
  const above = telling.reduce((sum, cell) => sum + cell.above, 0);
  const at = (slope: number) => {
    let [log, mean] = [-slope * above, 0];
    for (const { chances } of telling) {
      let [sum, moment] = [0, 0];
      for (const [count, chance] of chances.entries()) {
        const tilted = chance * Math.exp(slope * count);
        sum += tilted;
        moment += count * tilted;
      }
      log += Math.log(sum);
      mean += moment / sum;
    }
    return { log, mean };
  };
  // The bound is smallest where the mean of the tilted counts is what was seen.
  if (at(0).mean <= above) return 1;
  let [low, high] = [steepest, 0];
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    if (at(middle).mean > above) high = middle;
    else low = middle;
  }
  return Math.min(1, Math.exp(at((low + high) / 2).log));
}
