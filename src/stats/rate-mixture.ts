import type { Count } from './count.js';

/** How large a share of many cells passes at this rate. */
export interface RateShare {
  readonly rate: number;
  readonly share: number;
}

const steps = 40;
const rounds = 1000;

/**
 * How the pass rates of many cells are spread, as their counts show it: the nonparametric maximum likelihood estimate
 * (Robbins 1956, Laird 1978) on a grid of rates, by expectation maximisation. A cell of which nothing was seen, so that
 * it may have any rate, counts among them: no rate is ever ruled out. Whether the counts were taken until a test ended
 * makes no difference to their likelihood.
 */
export function rateMixture(counts: readonly Count[]): readonly RateShare[] {
  const rates = Array.from({ length: steps + 1 }, (_, index) => index / steps);
  const alike = new Map<string, { readonly likelihoods: Float64Array; cells: number }>();
  for (const { passed, total } of counts) {
    const key = `${passed}/${total}`;
    const group = alike.get(key);
    if (group !== undefined) group.cells += 1;
    else
      alike.set(key, {
        likelihoods: likelihoodsOf(rates, { passed, total }),
        cells: 1,
      });
  }
  const groups = [...alike.values()];
  const unseen = 1 / rates.length;
  // In place: a run of thousands of cells has hundreds of groups, and this is its innermost loop.
  const shares = new Float64Array(rates.length).fill(unseen);
  const [sums, joint] = [new Float64Array(rates.length), new Float64Array(rates.length)];
  for (let round = 0; round < rounds; round++) {
    sums.fill(unseen);
    for (const { likelihoods, cells } of groups) {
      let all = 0;
      for (let at = 0; at <= steps; at++) all += joint[at] = (likelihoods[at] ?? 0) * (shares[at] ?? 0);
      for (let at = 0; at <= steps; at++) sums[at] = (sums[at] ?? 0) + (cells * (joint[at] ?? 0)) / all;
    }
    for (let at = 0; at <= steps; at++) shares[at] = (sums[at] ?? 0) / (counts.length + 1);
  }
  return rates.map((rate, index) => ({ rate, share: shares[index] ?? 0 }));
}

/**
 * The probability that a cell of such a mixture, of which these counts are known, passes so rarely in `fresh` trials
 * although nothing changed.
 */
export function probabilityOfDrop(mixture: readonly RateShare[], known: Count, { passed, total }: Count): number {
  return averageGiven(mixture, known, (rate) => probabilityOfAtMost(passed, total, rate));
}

/**
 * The probability that a cell of such a mixture, which is known to have passed in some of its trials and failed in others,
 * passes so many times in a row although nothing changed.
 */
export function probabilityOfRow(mixture: readonly RateShare[], known: Count, row: number): number {
  return averageGiven(mixture, known, (rate) => rate ** row);
}

/** Over the rates that a cell with these counts may have. */
function averageGiven(mixture: readonly RateShare[], known: Count, of: (rate: number) => number): number {
  const rates = mixture.map(({ rate }) => rate);
  let [all, sum] = [0, 0];
  for (const [at, likelihood] of likelihoodsOf(rates, known).entries()) {
    const weight = (mixture[at]?.share ?? 0) * likelihood;
    all += weight;
    sum += weight * of(rates[at] ?? 0);
  }
  return sum / all;
}

/** How likely these counts are at each rate, the likeliest as 1: over thousands of trials, all of them would be 0. */
function likelihoodsOf(rates: readonly number[], { passed, total }: Count): Float64Array {
  const failed = total - passed;
  const logs = rates.map((rate) => (passed && passed * Math.log(rate)) + (failed && failed * Math.log1p(-rate)));
  const most = Math.max(...logs);
  return Float64Array.from(logs, (log) => Math.exp(log - most));
}

/** Binomial. */
function probabilityOfAtMost(passed: number, total: number, rate: number): number {
  if (rate === 0 || rate === 1) return rate === 0 || passed >= total ? 1 : 0;
  const odds = Math.log(rate) - Math.log1p(-rate);
  // In logarithms, since hundreds of trials of many nights may be added up.
  let term = total * Math.log1p(-rate);
  let sum = Math.exp(term);
  for (let count = 1; count <= passed; count++) {
    term += Math.log((total - count + 1) / count) + odds;
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}
