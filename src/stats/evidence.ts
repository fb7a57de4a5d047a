import type { Count } from './count.js';

/**
 * Fewer known trials prove only a total drop: a cell that passes three times in ten may look reliable in
 * them.
 */
export const wellKnown = 10;

/**
 * A cell of which little is known may pass as rarely as this; one that is known to pass no more often proves nothing.
 */
const seldom = 0.3;
const logOfSeldomFailing = Math.log10(1 - seldom);

/** A cell that passes is claimed to do so at least this often. */
export const reliableRate = 0.95;

/**
 * Has it changed? How much more likely two samples are with a rate each than with one rate for both, as log10: the
 * Krichevsky-Trofimov mixture over the most likely common rate. If nothing changed, it exceeds log10(c) with a
 * probability of at most 1/c, at whatever moment one looks and however often (universal inference: Wasserman, Ramdas,
 * Balakrishnan 2020; Ville's inequality).
 *
 *     E = m(k0, n0) m(k1, n1) / (p^K (1 - p)^(N - K)),   m(k, n) = B(k + 1/2, n - k + 1/2) / B(1/2, 1/2)
 *
 * @returns log10 E that the doubt passes more rarely; 0 where it does not, or where nothing is known
 */
export function evidenceOfChange(known: Count, doubt: Count): number {
  if (known.total === 0 || doubt.total === 0) return 0;
  if (known.total >= wellKnown) return evidenceOfTwoRates(known, doubt);
  const isTotal = doubt.passed === 0 && known.passed > seldom * known.total;
  return isTotal ? -doubt.total * logOfSeldomFailing : 0;
}

/** The formula alone, however little is known. */
export function evidenceOfTwoRates(known: Count, doubt: Count): number {
  if (known.total === 0 || doubt.total === 0 || doubt.passed / doubt.total >= known.passed / known.total) return 0;
  const [passed, total] = [known.passed + doubt.passed, known.total + doubt.total];
  const common = logLikelihood({ passed, total }, passed / total);
  return Math.max(0, (logMixture(known) + logMixture(doubt) - common) / Math.LN10);
}

/**
 * Does it hold? log10 of the evidence that trials pass less often than 95 times in 100, for which nothing has to be
 * known. While the claim holds, it exceeds log10(c) with a probability of at most 1/c.
 *
 *     E' = m(k1, n1) / (0.95^k1 0.05^(n1 - k1))
 *
 * @returns 0 where they pass as often as that, or where there are none
 */
export function evidenceAgainstClaim(trials: Count): number {
  if (trials.total === 0 || trials.passed / trials.total >= reliableRate) return 0;
  return Math.max(0, (logMixture(trials) - logLikelihood(trials, reliableRate)) / Math.LN10);
}

/** The bound over so many comparisons: they raise a false alarm in at most one of twenty rows of runs. */
export const boundOver = (comparisons: number): number => Math.log10(20 * Math.max(1, comparisons));

/** Failures counted as passes: an improvement is a drop of failures. */
export const swapped = ({ passed, total }: Count): Count => ({ passed: total - passed, total });

const times = (count: number, rate: number): number => (count === 0 ? 0 : count * Math.log(rate));
const logLikelihood = ({ passed, total }: Count, rate: number): number =>
  times(passed, rate) + times(total - passed, 1 - rate);
const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);
const logMixture = ({ passed, total }: Count): number =>
  logBeta(passed + 0.5, total - passed + 0.5) - logBeta(0.5, 0.5);

/** Of the halves 0.5, 1, 1.5 and so on, by their number: the function grows by log(x) from x to x + 1. */
const logGammas = [Number.NaN, Math.log(Math.PI) / 2, 0];

function logGamma(x: number): number {
  for (let half = logGammas.length; half <= 2 * x; half++) {
    logGammas.push((logGammas[half - 2] ?? 0) + Math.log(half / 2 - 1));
  }
  return logGammas[2 * x] ?? Number.NaN;
}
