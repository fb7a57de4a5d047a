/** Letters of which addresses, keys and numbers are made. */
const partOfWord = /[\w.%+@=/-]/;

/**
 * The beginning of a text in at most so many characters. A word that would be cut is left out: half of an address or a
 * key is no longer known as one when it is to be masked.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most - 1;
  if (partOfWord.test(text.charAt(end))) while (end > 0 && partOfWord.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}
