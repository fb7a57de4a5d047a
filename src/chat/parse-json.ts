import type { Json } from '../json/json.js';

/** Deeper documents are refused, since later readers walk values recursively. */
const deepestNesting = 500;

type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  /** One line for people: what is wrong with the text. */
  | { readonly ok: false; readonly error: string };

/** JSON text as a value; never throws. A member named `__proto__` stays an ordinary own member. */
export function parseJson(text: string): ParsedJson {
  if (nestsTooDeep(text)) return { ok: false, error: `nested deeper than ${deepestNesting} levels` };
  try {
    return { ok: true, value: (holdsHugeNumber.test(text) ? JSON.parse(text, finite) : JSON.parse(text)) as Json };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'not JSON' };
  }
}

/**
 * Whether a text can be JSON, by how it begins and ends. JSON.parse throws for what is none, and to make an error takes
 * longer than to read an answer.
 */
export function mayBeJson(text: string): boolean {
  const trimmed = text.trim();
  const [first, last] = [trimmed.charAt(0), trimmed.charAt(trimmed.length - 1)];
  if (first === '{') return last === '}';
  return first === '[' ? last === ']' : /["\-\dtfn]/.test(first);
}

/** Whether digits or an exponent may exceed what a JavaScript number can hold. */
const holdsHugeNumber = /\d[eE]\+?\d{3}|\d{200}/;

/** 1e999 is valid JSON but overflows. It becomes the largest number, since JSON has no Infinity. */
function finite(_: string, value: unknown): unknown {
  return value === Infinity ? Number.MAX_VALUE : value === -Infinity ? -Number.MAX_VALUE : value;
}

function nestsTooDeep(text: string): boolean {
  return text.length > deepestNesting && findBracket(text, (depth) => depth > deepestNesting) !== null;
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
