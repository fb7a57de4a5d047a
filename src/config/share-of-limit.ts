/**
 * The part of a limit that one shard may use, rounded down. Rounding errors of the division do not count: a third of 3
 * times a limit is the limit.
 * @param share above 0 and up to 1
 */
export function shareOfLimit(limit: number, share: number): number {
  return Math.floor(limit * share + 1e-9);
}
