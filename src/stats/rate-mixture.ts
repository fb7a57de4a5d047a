import { probabilityOfAtMost } from './binomial.js';
import type { Count } from './count.js';

/** How large a share of many cells passes at this rate. */
export interface RateShare {
  readonly rate: number;
  readonly share: number;
}

const steps = 40;
const rates: readonly number[] = Array.from({ length: steps + 1 }, (_, index) => index / steps);

/** Room for a share of each rate, filled up with zeros so that four of them can be added up at a time. */
const width = 44;

/** Where no share moves by more than this part of itself, no further round changes a decision. */
const atRest = 1e-6;
const mostRounds = 1000;

/**
 * How the pass rates of many cells are spread, as their counts show it: the nonparametric maximum likelihood estimate
 * (Robbins 1956, Laird 1978) on a grid of rates, by expectation maximisation. A cell of which nothing was seen, so that
 * it may have any rate, counts among them: no rate is ever ruled out. Whether the counts were taken until a test ended
 * makes no difference to their likelihood.
 */
export function rateMixture(counts: readonly Count[]): readonly RateShare[] {
  const improve = roundOver(counts);
  // What the cell of which nothing was seen gives to each rate.
  const least = 1 / rates.length / (counts.length + 1);
  const shares = new Float64Array(width).fill(1 / rates.length, 0, rates.length);
  const [once, twice] = [new Float64Array(width), new Float64Array(width)];
  for (let rounds = 0; rounds < mostRounds; rounds += 3) {
    if (improve(shares, once) <= atRest || improve(once, twice) <= atRest) break;
    extrapolate(shares, once, twice);
    for (const at of rates.keys()) shares[at] = Math.max(least, shares[at] ?? 0);
    improve(shares, shares);
  }
  return rates.map((rate, at) => ({ rate, share: shares[at] ?? 0 }));
}

/**
 * One round of expectation maximisation: from shares to likelier ones. It returns by what part of itself a share moved at
 * most. A run of thousands of cells has hundreds of groups with the same counts, and this is its innermost loop.
 */
function roundOver(counts: readonly Count[]): (from: Float64Array, to: Float64Array) => number {
  const alike = new Map<string, { readonly count: Count; cells: number }>();
  for (const count of counts) {
    const key = `${count.passed}/${count.total}`;
    const group = alike.get(key);
    if (group !== undefined) group.cells += 1;
    else alike.set(key, { count, cells: 1 });
  }
  const groups = [...alike.values()];
  const likelihoods = new Float64Array(groups.length * width);
  for (const [index, { count }] of groups.entries()) likelihoods.set(likelihoodsOf(rates, count), index * width);
  const sizes = Float64Array.from(groups, ({ cells }) => cells);
  const sums = new Float64Array(width);
  const unseen = 1 / rates.length;
  return (from, to) => {
    sums.fill(0);
    for (let group = 0, first = 0; group < sizes.length; group++, first += width) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let at = 0; at < width; at += 4) {
        a += (likelihoods[first + at] ?? 0) * (from[at] ?? 0);
        b += (likelihoods[first + at + 1] ?? 0) * (from[at + 1] ?? 0);
        c += (likelihoods[first + at + 2] ?? 0) * (from[at + 2] ?? 0);
        d += (likelihoods[first + at + 3] ?? 0) * (from[at + 3] ?? 0);
      }
      const weight = (sizes[group] ?? 0) / (a + b + c + d);
      for (let at = 0; at < width; at++) sums[at] = (sums[at] ?? 0) + weight * (likelihoods[first + at] ?? 0);
    }
    let most = 0;
    for (let at = 0; at <= steps; at++) {
      const [before, sum] = [from[at] ?? 0, sums[at] ?? 0];
      const share = (unseen + sum * before) / (counts.length + 1);
      most = Math.max(most, Math.abs(share - before) / share);
      to[at] = share;
    }
    return most;
  };
}

/**
 * Follows the path of two rounds as far as it seems to lead (Varadhan and Roland 2008, scheme S3), in logarithms, so that
 * no share becomes negative. It saves most of the rounds; where it leads astray, the next ones lead back.
 */
function extrapolate(shares: Float64Array, once: Float64Array, twice: Float64Array): void {
  const paths = rates.map((_, at) => {
    const start = Math.log(shares[at] ?? 0);
    const step = Math.log(once[at] ?? 0) - start;
    return { start, step, bend: Math.log(twice[at] ?? 0) - Math.log(once[at] ?? 0) - step };
  });
  const squared = (of: (path: (typeof paths)[number]) => number) => paths.reduce((sum, path) => sum + of(path) ** 2, 0);
  const ratio = Math.sqrt(squared(({ step }) => step) / squared(({ bend }) => bend));
  const length = Number.isFinite(ratio) ? Math.max(1, ratio) : 1;
  const ends = paths.map(({ start, step, bend }) => start + 2 * length * step + length ** 2 * bend);
  const highest = Math.max(...ends);
  const all = ends.reduce((sum, end) => sum + Math.exp(end - highest), 0);
  for (const [at, end] of ends.entries()) shares[at] = Math.exp(end - highest) / all;
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
  const ofMixture = mixture.map(({ rate }) => rate);
  let [all, sum] = [0, 0];
  for (const [at, likelihood] of likelihoodsOf(ofMixture, known).entries()) {
    const weight = (mixture[at]?.share ?? 0) * likelihood;
    all += weight;
    sum += weight * of(ofMixture[at] ?? 0);
  }
  return sum / all;
}

/** How likely these counts are at each rate, the likeliest as 1: over thousands of trials, all of them would be 0. */
function likelihoodsOf(at: readonly number[], { passed, total }: Count): Float64Array {
  const failed = total - passed;
  const logs = at.map((rate) => (passed && passed * Math.log(rate)) + (failed && failed * Math.log1p(-rate)));
  const most = Math.max(...logs);
  return Float64Array.from(logs, (log) => Math.exp(log - most));
}
