/** The address of a cell within the page. It stays the same from run to run. */
export function cellLink(key: string): string {
  return `#cell=${encodeURIComponent(key.toWellFormed())}`;
}
