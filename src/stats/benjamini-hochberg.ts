/**
 * Which of many tests stand when the false discovery rate over all of them is held at `q`.
 * @param pValues one per test, in any order
 * @param q the share of false ones among those that stand, on average; 0.01 for a run's flaky cells
 * @returns in the order of `pValues`
 */
export function benjaminiHochberg(pValues: readonly number[], q: number): boolean[] {
  const ascending = pValues.toSorted((a, b) => a - b);
  const last = ascending.findLastIndex((pValue, index) => pValue <= (q * (index + 1)) / ascending.length);
  const limit = ascending[last];
  return pValues.map((pValue) => limit !== undefined && pValue <= limit);
}
