/** The name of a function in a sentence: a blank at its end, or none at all, would not be seen. */
export function quoted(name: string): string {
  return JSON.stringify(name);
}
