/**
 * Pieces of words of at most four letters, numbers of at most three digits, single symbols; a leading space belongs to
 * its piece. Joined, the pieces give the text, so that it can be cut after any number of tokens.
 */
const piece = /\s?[\p{L}\p{M}]{1,4}|\s?\p{N}{1,3}|\s?[^\p{L}\p{M}\p{N}\s]|\s+/gu;

/** The tokens of a text, in order; `tokenize(text).join('') === text`. */
export function tokenize(text: string): string[] {
  return text.match(piece) ?? [];
}
