import type { Damage } from './damage.js';
import type { Stated } from './stated.js';

/** The letters of Windows-1252 that are control characters in Latin-1, from 0x80 on; all others are the same in both. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const ownLetter = /[€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;
const byteOf = new Map(Array.from(windows1252, (letter, index) => [letter, String.fromCharCode(0x80 + index)]));

/** UTF-8, a character a byte. */
const encoded =
  /(?:[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3})+/g;
/** The first two of them, of which the second may be a letter of Windows-1252. */
const mayBeEncoded = new RegExp(`[\\u00c2-\\u00f4][\\u0080-\\u00bf${ownLetter.source.slice(1)}`);
/** A reply of megabytes shows no more with all of it. */
const [mostPieces, longestText] = [20, 80];

/** What the bytes of a stated text are in Latin-1 or Windows-1252. */
export function misread(text: string, { has }: Stated): Damage | null {
  if (!mayBeEncoded.test(text)) return null;
  const bytes = asBytes(text);
  const pieces = [...take(bytes.matchAll(encoded), mostPieces)];
  if (pieces.length === 0) return null;
  const places = pieces.map(({ index, 0: { length } }) => [index, index + length] as const);
  // The whole of a name tells more than one letter of it.
  for (const [from, to] of text.length > longestText ? places : [[0, text.length] as const, ...places]) {
    const came = text.slice(from, to);
    if (has(came)) continue;
    const once = repaired(bytes.slice(from, to));
    if (has(once)) return { stated: once, came, how: `UTF-8 read as ${nameOf(came)}` };
    const twice = repaired(asBytes(once));
    if (twice !== once && has(twice)) return { stated: twice, came, how: `UTF-8 read as ${nameOf(came)}, twice` };
  }
  return null;
}

function asBytes(text: string): string {
  return text.replace(/[^\0-\u00ff]/g, (letter) => byteOf.get(letter) ?? letter);
}

function nameOf(came: string): string {
  return ownLetter.test(came) ? 'Windows-1252' : 'Latin-1';
}

/** Without a TextDecoder, which a bare JavaScript engine lacks. */
function repaired(bytes: string): string {
  return bytes.replace(encoded, (piece) => {
    const hex = Array.from(piece, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
    try {
      return decodeURIComponent(hex.join(''));
    } catch {
      // A surrogate, or longer than it need be.
      return piece;
    }
  });
}

function* take<T>(items: Iterable<T>, most: number): Generator<T> {
  let taken = 0;
  for (const item of items) {
    if ((taken += 1) > most) return;
    yield item;
  }
}
