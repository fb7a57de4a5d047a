/** Values that a file may hold once its aliases (or `$ref`s) are written out. */
export const largestExpansion = 200_000;

/**
 * How many values the data holds when shared parts count each time they are used. Linear
 * in what is really there, so an alias bomb costs nothing to recognise.
 */
export function expandedSize(data: unknown, known = new Map<object, number>()): number {
  if (typeof data !== 'object' || data === null) return 1;
  const counted = known.get(data);
  if (counted !== undefined) return counted;
  let size = 1;
  for (const value of Object.values(data)) {
    size = Math.min(size + expandedSize(value, known), Number.MAX_SAFE_INTEGER / 2);
  }
  known.set(data, size);
  return size;
}
