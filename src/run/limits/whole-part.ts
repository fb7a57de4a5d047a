/** The part of a limit that a shard may use, rounded down, but for what dividing by the number of shards loses. */
export function wholePart(limit: number, share: number): number {
  return Math.floor(limit * share + 1e-9);
}
