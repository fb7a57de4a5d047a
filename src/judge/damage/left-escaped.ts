import type { Damage } from './damage.js';
import type { Stated } from './stated.js';

const escape = /\\u([0-9a-f]{4})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi;
/** A text that holds more than a name is code, or a page. */
const longest = 400;

/** A stated text whose escapes were not undone, or made twice. Code and markup that hold it say more than it. */
export function leftEscaped(text: string, { has }: Stated): Damage | null {
  if (text.length > longest || !(text.includes('\\') || text.includes('&#'))) return null;
  const plain = text.replace(escape, (whole, unit?: string, hex?: string, decimal?: string) => {
    const code = Number.parseInt(unit ?? hex ?? decimal ?? '', decimal === undefined ? 16 : 10);
    return unit !== undefined ? String.fromCharCode(code) : code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
  if (plain === text || has(text) || !has(plain)) return null;
  return { stated: plain, came: text, how: 'escapes left in the text' };
}
