import type { Json } from '../json/json.js';

/** Deeper documents are refused, since later readers walk values recursively. */
const deepestNesting = 500;

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  /** One line for people: what is wrong with the text. */
  | { readonly ok: false; readonly error: string };

/** JSON text as a value; never throws. A member named `__proto__` stays an ordinary own member. */
export function parseJson(text: string): ParsedJson {
  // A whole document as deep as that is longer, so that what cannot be parsed is all that is looked at among short texts.
  const isShort = text.length <= 2 * deepestNesting;
  if (!isShort && nestsDeeperThan(text, deepestNesting)) return tooDeep;
  try {
    return { ok: true, value: (mayHoldHugeNumber(text) ? JSON.parse(text, finite) : JSON.parse(text)) as Json };
  } catch (error) {
    if (isShort && nestsDeeperThan(text, deepestNesting)) return tooDeep;
    return { ok: false, error: error instanceof Error ? firstLine(error.message) : 'not JSON' };
  }
}

const tooDeep: ParsedJson = { ok: false, error: `nested deeper than ${deepestNesting} levels` };

/**
 * Whether a text can be JSON, by how it begins and ends. JSON.parse throws for what is none, and to make an error takes
 * longer than to read an answer.
 */
export function mayBeJson(text: string): boolean {
  let [begin, end] = [0, text.length - 1];
  while (isBlank(text.charCodeAt(begin))) begin++;
  while (end > begin && isBlank(text.charCodeAt(end))) end--;
  const first = text.charCodeAt(begin);
  if (first === brace) return text.charCodeAt(end) === closingBrace;
  if (first === bracket) return text.charCodeAt(end) === closingBracket;
  return beginsScalar.test(text.charAt(begin));
}

const beginsScalar = /["\-\dtfn]/;

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Whether digits or an exponent may exceed what a JavaScript number can hold. */
export function mayHoldHugeNumber(text: string): boolean {
  return holdsLargeExponent.test(text) || holdsDigits(text, 200);
}

const holdsLargeExponent = /\d[eE]\+?\d{3}/;

/** Whether there are so many digits in a row. One of them stands at one of these places, so most of the text is passed over. */
export function holdsDigits(text: string, inARow: number): boolean {
  for (let at = inARow - 1; at < text.length; at += inARow) {
    if (!isDigit(text, at)) continue;
    let from = at;
    while (isDigit(text, from - 1)) from--;
    let end = at + 1;
    while (isDigit(text, end)) end++;
    if (end - from >= inARow) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= zero && code <= nine;
}

const [zero, nine] = [48, 57];

/** 1e999 is valid JSON but overflows. It becomes the largest number, since JSON has no Infinity. */
function finite(_: string, value: unknown): unknown {
  return value === Infinity ? Number.MAX_VALUE : value === -Infinity ? -Number.MAX_VALUE : value;
}

function nestsDeeperThan(text: string, limit: number): boolean {
  return mayNestDeeperThan(text, limit) && findBracket(text, (depth) => depth > limit) !== null;
}

/** Whether there are enough brackets, those in strings included: to count them is many times faster than to tell which are in strings. */
function mayNestDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let opened = 0;
  for (const opening of ['{', '[']) {
    for (let at = text.indexOf(opening); at >= 0 && opened <= limit; at = text.indexOf(opening, at + 1)) opened++;
  }
  return opened > limit;
}

/**
 * Where the first bracket stands, outside of strings, after which the text is as deep as wanted; null if there is none.
 * @param isWanted given the number of brackets that are open behind it
 */
export function findBracket(text: string, isWanted: (depth: number) => boolean): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      at = endOfString(text, at + 1);
      if (at < 0) return null;
    } else if (char === brace || char === bracket) {
      if (isWanted(++depth)) return at;
    } else if (char === closingBrace || char === closingBracket) {
      if (isWanted(--depth)) return at;
    }
  }
  return null;
}

const [quote, backslash, brace, bracket, closingBrace, closingBracket] = [34, 92, 123, 91, 125, 93];

/** Where the string ends that began before `start`; -1: it does not. Strings are most of an answer, so they are jumped over. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > start && text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}
