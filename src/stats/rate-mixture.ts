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
        likelihoods: Float64Array.from(rates, (rate) => rate ** passed * (1 - rate) ** (total - passed)),
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
 * The probability that a cell of such a mixture, which passed in all of `known` trials, passes so rarely in `fresh` ones
 * although nothing changed.
 */
export function probabilityAfterPasses(mixture: readonly RateShare[], known: number, { passed, total }: Count): number {
  let [all, rare] = [0, 0];
  for (const { rate, share } of mixture) {
    const weight = share * rate ** known;
    all += weight;
    rare += weight * probabilityOfAtMost(passed, total, rate);
  }
  return rare / all;
}

/**
 * The probability that a cell of such a mixture, which is known to have passed in some of its trials and failed in others,
 * passes so many times in a row although nothing changed.
 */
export function probabilityOfRow(mixture: readonly RateShare[], { passed, total }: Count, row: number): number {
  let [all, rows] = [0, 0];
  for (const { rate, share } of mixture) {
    const weight = share * rate ** passed * (1 - rate) ** (total - passed);
    all += weight;
    rows += weight * rate ** row;
  }
  return rows / all;
}

/** Binomial. */
function probabilityOfAtMost(passed: number, total: number, rate: number): number {
  if (rate === 1) return passed >= total ? 1 : 0;
  let term = (1 - rate) ** total;
  let sum = term;
  for (let count = 1; count <= passed; count++) {
    term *= ((total - count + 1) / count) * (rate / (1 - rate));
    sum += term;
  }
  return Math.min(1, sum);
}
