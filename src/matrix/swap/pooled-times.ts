import type { CellTimes, Quantiles } from '../timing.js';

/** Quantiles over cells that count alike, however many answers each has; null where none has a value. */
export function pooled(cells: readonly (readonly number[])[]): Pick<Quantiles, 'p50' | 'p95'> | null {
  const told = cells.filter((values) => values.length > 0);
  if (told.length === 0) return null;
  const all = told
    .flatMap((values) => values.map((value) => ({ value, weight: 1 / (values.length * told.length) })))
    .sort((a, b) => a.value - b.value);
  const quantile = (share: number): number => {
    let left = share;
    for (const { value, weight } of all) {
      left -= weight;
      // Weights such as 1/3 do not add up exactly.
      if (left <= 1e-9) return value;
    }
    return all.at(-1)?.value ?? 0;
  };
  return { p50: quantile(0.5), p95: quantile(0.95) };
}

/** The mean over cells that count alike; null where none reports its usage. */
export function meanTokensOf(cells: readonly (readonly CellTimes[])[]): CellTimes['tokens'] {
  const told = cells.map((one) => one.flatMap(({ tokens, answers }) => (tokens === null ? [] : [{ tokens, answers }])));
  const metered = told.filter((one) => one.length > 0);
  if (metered.length === 0) return null;
  const mean = (name: 'prompt' | 'completion' | 'reasoning') =>
    metered.reduce((sum, one) => {
      const answers = one.reduce((all, { answers: some }) => all + some, 0);
      return sum + one.reduce((all, { tokens, answers: some }) => all + tokens[name] * some, 0) / answers;
    }, 0) / metered.length;
  return { prompt: mean('prompt'), completion: mean('completion'), reasoning: mean('reasoning') };
}
