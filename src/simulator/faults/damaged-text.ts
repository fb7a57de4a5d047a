import { parseJson } from '../answers/quoted-text.js';
import type { TextDamage } from '../profiles/profile.js';

/** What Windows-1252 makes of the bytes from 0x80 to 0x9f. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const damages: Readonly<Record<TextDamage, (letter: string, inJson: boolean) => string>> = {
  latin1,
  windows1252: (letter) =>
    latin1(letter).replace(/[\u0080-\u009f]/g, (byte) => windows1252.charAt(byte.charCodeAt(0) - 0x80)),
  question_marks: () => '?',
  replaced: () => '\uFFFD',
  // Within JSON, a single backslash would be an escape of JSON itself.
  escapes: (letter, inJson) =>
    Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index).toString(16).padStart(4, '0'))
      .map((hex) => `${inJson ? '\\\\' : '\\'}u${hex}`)
      .join(''),
};

/** A text, or a JSON document, of which something on the way has damaged the letters beyond ASCII. */
export function damagedText(text: string, how: TextDamage): string {
  const isJson = typeof parseJson(text) === 'object';
  return text.replace(/[^\0-\u007f]/gu, (letter) => damages[how](letter, isJson));
}

function latin1(letter: string): string {
  return Buffer.from(letter, 'utf8').toString('latin1');
}
