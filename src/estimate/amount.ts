import type { ModelConfig } from '../config/config.js';

/** The likely amount and the most it can become. */
export interface Range {
  readonly expected: number;
  readonly largest: number;
}

/** With what it is without surprises, however the cells turn out of which nothing is known: from and to. */
export interface LikelyRange extends Range {
  readonly likely: readonly [number, number];
}

/** Without faults that are sent again, which cannot be planned. */
export interface Amount {
  readonly requests: LikelyRange;
  /** A quarter of the prompt's bytes, and for the answer what is usual, at most the output cap. */
  readonly tokens: LikelyRange;
  /** In the currency of the prices; null without a price. */
  readonly cost: LikelyRange | null;
}

export function sum(ranges: readonly LikelyRange[]): LikelyRange {
  const total = (of: (range: LikelyRange) => number): number => ranges.reduce((sum, range) => sum + of(range), 0);
  return {
    expected: total(({ expected }) => expected),
    largest: total(({ largest }) => largest),
    likely: [total(({ likely }) => likely[0]), total(({ likely }) => likely[1])],
  };
}

export function totalCost(amounts: readonly Amount[]): LikelyRange | null {
  const priced = amounts.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return priced.length === 0 ? null : sum(priced);
}

export function costOf(
  { price }: ModelConfig,
  { prompt, output }: { readonly prompt: LikelyRange; readonly output: LikelyRange },
): LikelyRange | null {
  if (price === null) return null;
  const at = (range: LikelyRange, rate: number): LikelyRange => ({
    expected: (range.expected * rate) / 1e6,
    largest: (range.largest * rate) / 1e6,
    likely: [(range.likely[0] * rate) / 1e6, (range.likely[1] * rate) / 1e6],
  });
  return sum([at(prompt, price.prompt), at(output, price.completion)]);
}
