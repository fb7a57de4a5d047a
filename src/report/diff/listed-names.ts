/** A run may have a hundred models. */
const mostNamed = 5;

/** "demo/a, demo/b", and how many more there are. */
export function listedNames(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
