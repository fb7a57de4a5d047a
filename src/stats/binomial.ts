/** The binomial probability of so many passes or fewer. */
export function probabilityOfAtMost(passed: number, total: number, rate: number): number {
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

/** The binomial probability of so many passes or more. */
export function probabilityOfAtLeast(passed: number, total: number, rate: number): number {
  return probabilityOfAtMost(total - passed, total, 1 - rate);
}
