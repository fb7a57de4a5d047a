/**
 * Which of many tests stay significant when the false discovery rate over all of them is held at `q` (Benjamini and
 * Hochberg 1995).
 * @param pValues one per test, in any order
 * @param q the expected share of false positives among the significant tests
 * @param tests how many there are with those that showed nothing, whose p-values of 1 need not be listed
 * @returns in the order of `pValues`
 */
export function benjaminiHochberg(pValues: readonly number[], q: number, tests = pValues.length): boolean[] {
  const ascending = pValues.toSorted((a, b) => a - b);
  const last = ascending.findLastIndex((pValue, index) => pValue <= (q * (index + 1)) / tests);
  const limit = ascending[last];
  return pValues.map((pValue) => limit !== undefined && pValue <= limit);
}
