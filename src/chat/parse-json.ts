import type { Json } from '../json/json.js';

/** Deeper documents are refused, since later readers walk values recursively. */
const deepestNesting = 500;

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  /** One line for people: what is wrong with the text. */
  | { readonly ok: false; readonly error: string };

/** JSON text as a value; never throws. A member named `__proto__` stays an ordinary own member. */
export function parseJson(text: string): ParsedJson {
  if (nestsDeeperThan(text, deepestNesting)) {
    return { ok: false, error: `nested deeper than ${deepestNesting} levels` };
  }
  try {
    return { ok: true, value: (holdsHugeNumber.test(text) ? JSON.parse(text, finite) : JSON.parse(text)) as Json };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? firstLine(error.message) : 'not JSON' };
  }
}

/** Digits or an exponent that may exceed what a JavaScript number can hold. */
const holdsHugeNumber = /\d{300}|[eE]\+?\d{3}/;

/** 1e999 is valid JSON but overflows. It becomes the largest number, since JSON has no Infinity. */
function finite(_: string, value: unknown): unknown {
  return value === Infinity ? Number.MAX_VALUE : value === -Infinity ? -Number.MAX_VALUE : value;
}

function nestsDeeperThan(text: string, limit: number): boolean {
  return text.length > limit && findBracket(text, (depth) => depth > limit) !== null;
}

/**
 * Where the first bracket stands, outside of strings, after which the text is as deep as wanted; null if there is none.
 * @param isWanted given the number of brackets that are open behind it
 */
export function findBracket(text: string, isWanted: (depth: number) => boolean): number | null {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      if (isWanted(++depth)) return at;
    } else if (char === '}' || char === ']') {
      if (isWanted(--depth)) return at;
    }
  }
  return null;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
