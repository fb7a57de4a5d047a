/** Characters of addresses, keys and numbers. */
const partOfWord = /[\w.%+@=/-]/;

/**
 * The beginning of a text, at most `most` characters. A word that would be cut is left out: masking would not recognise
 * half an address or half a key.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most - 1;
  if (partOfWord.test(text.charAt(end))) while (end > 0 && partOfWord.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}
