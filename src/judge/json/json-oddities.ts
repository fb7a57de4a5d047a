import { holdsDigits } from '../../chat/parse-json.js';
import type { Quirk } from '../../chat/quirks.js';
import type { Json } from '../../json/json.js';

/**
 * Oddities of valid JSON text that are lost once it is parsed. Takes linear time.
 * @param value the text, parsed
 */
export function jsonOddities(text: string, value: Json): Quirk[] {
  // Most texts have none, and to count is much faster than to look at every token.
  return holdsDigits(text, 16) || colonsIn(text) !== membersIn(value) ? odditiesIn(text) : [];
}

/** Each member has a colon. Those in strings do not count. An exponent makes it -1: the number may be a large one. */
function colonsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === colon) count += 1;
    else if (unit === quote) at = endOfString(text, at);
    else if ((unit === smallE || unit === largeE) && isDigit(text.charCodeAt(at - 1))) return -1;
  }
  return count;
}

const [quote, colon, backslash, zero, nine, smallE, largeE] = [34, 58, 92, 48, 57, 101, 69] as const;

const isDigit = (unit: number): boolean => unit >= zero && unit <= nine;

/** Where the string that begins there is closed. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** Digits that a double rounds, or a number that is larger than every double and so an integer as well (1e400). */
function isBeyondDoubles(word: string): boolean {
  if (/^-?\d+$/.test(word)) return !Number.isSafeInteger(Number(word));
  return /^-?\d/.test(word) && !Number.isFinite(Number(word));
}

function membersIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) count += membersIn(one);
  return count;
}

function odditiesIn(text: string): Quirk[] {
  const found = new Set<Quirk>();
  /** The members seen so far of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let before = '';
  let last: string | null = null;
  for (const [word] of text.matchAll(token)) {
    if (word === '{') open.push(new Set());
    else if (word === '[') open.push(null);
    else if (word === '}' || word === ']') open.pop();
    else if (word === ':' && last !== null && before === last) {
      const name = JSON.parse(last) as string;
      const members = open.at(-1);
      if (members?.has(name) === true) found.add('duplicate_keys');
      members?.add(name);
    } else if (isBeyondDoubles(word)) found.add('integer_beyond_2_53');
    last = word.startsWith('"') ? word : null;
    before = word;
  }
  return [...found];
}
