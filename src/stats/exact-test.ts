import type { Count } from './count.js';

/**
 * Fisher's exact test, one-sided: the probability that `fresh` passes this rarely, or more rarely, if both samples have
 * the same rate. Unlike a comparison with the baseline's rate, it allows for the baseline being a sample too.
 * @returns a p-value in (0, 1]
 */
export function probabilityOfFewer(fresh: Count, baseline: Count): number {
  const chanceOf = chancesIn(fresh, baseline);
  let sum = 0;
  for (let count = fewestOf(fresh, baseline); count <= fresh.passed; count++) sum += chanceOf(count);
  return Math.min(1, sum);
}

/**
 * The probabilities of each number of passes that `fresh` could have, from the fewest on, if both samples have the same rate
 * and as many passes between them (hypergeometric).
 */
export function chancesOfPasses(fresh: Count, baseline: Count): number[] {
  const [fewest, most] = [fewestOf(fresh, baseline), Math.min(fresh.total, fresh.passed + baseline.passed)];
  const chanceOf = chancesIn(fresh, baseline);
  return Array.from({ length: most - fewest + 1 }, (_, index) => chanceOf(fewest + index));
}

/** The chance of each number of passes in `fresh`. */
function chancesIn(fresh: Count, baseline: Count): (count: number) => number {
  const passed = fresh.passed + baseline.passed;
  const total = fresh.total + baseline.total;
  const all = logChoose(total, fresh.total);
  return (count) => Math.exp(logChoose(passed, count) + logChoose(total - passed, fresh.total - count) - all);
}

/** The fewest passes that `fresh` could have if both samples have as many between them. */
export function fewestOf(fresh: Count, baseline: Count): number {
  return Math.max(0, fresh.passed + baseline.passed - baseline.total);
}

/** Like `probabilityOfFewer`, but for passing this often or more often. */
export function probabilityOfMore(fresh: Count, baseline: Count): number {
  return probabilityOfFewer(mirrored(fresh), mirrored(baseline));
}

const mirrored = ({ passed, total }: Count): Count => ({ passed: total - passed, total });

function logChoose(from: number, chosen: number): number {
  return logFactorial(from) - logFactorial(chosen) - logFactorial(from - chosen);
}

const logFactorials = [0];

function logFactorial(number: number): number {
  for (let next = logFactorials.length; next <= number; next++)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[number] ?? 0;
}
