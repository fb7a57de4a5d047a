import type { Damage } from './damage.js';
import { beyondAscii, type Stated } from './stated.js';

export const replacement = '\uFFFD';

/**
 * Marks in place of letters. "?" may also end a question, or stand for what is unknown: it counts where the member of that
 * name must have a text of just that form, and within a word of the request.
 */
export function lostLetters(text: string, name: string | null, stated: Stated): Damage | null {
  const mark = text.includes(replacement) ? replacement : text.includes('?') ? '?' : null;
  if (mark === null || text === '?') return null;
  const how = `${mark === '?' ? '?' : 'U+FFFD'} in place of letters`;
  const meant = name === null ? undefined : stated.under(name).find((one) => formsOf(one, mark).includes(text));
  if (meant !== undefined) return { stated: meant, came: text, how };
  if (mark === replacement && stated.text().includes(replacement)) return null;
  for (const word of wordsWith(text, mark)) {
    const found = wordIn(stated.text(), word);
    if (found !== null) return { stated: found, came: word, how };
  }
  return mark === '?' ? null : { stated: null, came: aroundMark(text), how };
}

/** A text with a mark for each letter beyond ASCII, for each UTF-16 unit, for each byte, or for each row of them. */
function formsOf(text: string, mark: string): readonly string[] {
  return [text.normalize('NFC'), text.normalize('NFD')].flatMap((one) => [
    one.replace(/[^\0-\u007f]/gu, mark),
    one.replace(/[^\0-\u007f]/g, mark),
    one.replace(/[^\0-\u007f]/gu, (letter) => mark.repeat(bytesOf(letter))),
    one.replace(/[^\0-\u007f]+/g, mark),
  ]);
}

function bytesOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Of a text with more of them, and of a longer word, the rest says no more. */
const [mostWords, longestHalf] = [10, 20];

/** The words in which a mark stands; "?" counts as part of one only between letters. */
function wordsWith(text: string, mark: string): readonly string[] {
  const words: string[] = [];
  for (let at = text.indexOf(mark), n = 0; at >= 0 && n < mostWords; at = text.indexOf(mark, at + 1), n += 1) {
    const before = /[\p{L}\p{M}?\uFFFD]*$/u.exec(text.slice(Math.max(0, at - longestHalf), at))?.[0] ?? '';
    const after = /^[\p{L}\p{M}?\uFFFD]*/u.exec(text.slice(at, at + longestHalf))?.[0] ?? '';
    const word = before + after;
    const isWord = mark === '?' ? /\p{L}\?+\p{L}/u.test(word) && !/^\?|\?$/.test(word) : /\p{L}/u.test(word);
    if (isWord && word.length > 2) words.push(word);
  }
  return words;
}

/** The word of the request that this is with letters beyond ASCII in place of its marks. */
function wordIn(request: string, word: string): string | null {
  if (!beyondAscii.test(request)) return null;
  const pattern = word.replace(/[?\uFFFD]+/g, ({ length }) => `[^\\0-\\u007f]{1,${length}}`);
  return new RegExp(`(?<![\\p{L}\\p{M}])${pattern}(?![\\p{L}\\p{M}])`, 'u').exec(request)?.[0] ?? null;
}

function aroundMark(text: string): string {
  const at = text.indexOf(replacement);
  return text.slice(Math.max(0, at - 12), at + 12);
}
