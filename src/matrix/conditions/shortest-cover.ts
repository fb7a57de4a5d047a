/** A set of points, one bit each. */
export type Bits = bigint;

/** Something that covers points at a price. */
export interface Covering {
  readonly bits: Bits;
  readonly price: number;
}

/** Give up after so many steps: the shortest explanation of noise is of no use. */
const mostSteps = 20_000;

/** The cheapest selection of at most `most` coverings that covers all of `wanted` for at most `limit`; null: none. */
export function cheapestCover<C extends Covering>(
  coverings: readonly C[],
  wanted: Bits,
  { limit, most }: { readonly limit: number; readonly most: number },
): readonly C[] | null {
  const useful = cheapestOfEachReach(coverings, wanted);
  const least = useful.reduce((price, one) => Math.min(price, one.price), Infinity);
  let best: readonly C[] | null = null;
  let bestPrice = limit + 1e-9;
  let steps = 0;
  const search = (left: Bits, chosen: readonly C[], price: number): void => {
    if (left === 0n) {
      best = chosen;
      bestPrice = price - 1e-9;
      return;
    }
    steps += 1;
    if (steps > mostSteps || chosen.length === most || price + least > bestPrice) return;
    // The lowest point has to be covered by something.
    const point = left & -left;
    for (const one of useful) {
      if (price + one.price > bestPrice) break;
      if ((one.bits & point) !== 0n) search(left & ~one.bits, [...chosen, one], price + one.price);
    }
  };
  search(wanted, [], 0);
  return best;
}

/** Of coverings that reach the same points, or fewer, only the cheapest can be part of a cheapest selection. */
function cheapestOfEachReach<C extends Covering>(coverings: readonly C[], wanted: Bits): readonly C[] {
  const byReach = new Map<Bits, C>();
  for (const one of coverings) {
    const reach = one.bits & wanted;
    if (reach === 0n) continue;
    const known = byReach.get(reach);
    if (known === undefined || one.price < known.price) byReach.set(reach, one);
  }
  const sorted = [...byReach].toSorted(([, a], [, b]) => a.price - b.price);
  const kept: (readonly [Bits, C])[] = [];
  for (const entry of sorted) if (!kept.some(([reach]) => (entry[0] & ~reach) === 0n)) kept.push(entry);
  return kept.map(([, one]) => one);
}
