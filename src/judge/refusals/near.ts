/** One of these, as the source of a pattern. */
export function any(...words: readonly string[]): string {
  return `(?:${words.join('|')})`;
}

/** The one and then the other within a sentence, at most so many characters apart. */
export function near(one: string, other: string, apart: number): RegExp {
  return new RegExp(String.raw`${one}[^.;\n]{0,${apart}}${other}`, 'i');
}
