import { parse, stringify } from 'lossless-json';
import { rememberedByObject } from './remembered.js';

/** Any JSON value, read-only: requests, schemas and replies travel through the whole program as this. */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none where it is no list. */
export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** A copy in which each part that is neither a list nor an object is changed. */
export function mapLeaves(value: Json, change: (leaf: Exclude<Json, JsonArray | JsonObject>) => Json): Json {
  if (Array.isArray(value)) return (value as JsonArray).map((item) => mapLeaves(item, change));
  if (!isObject(value)) return change(value as Exclude<Json, JsonArray | JsonObject>);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change)]));
}

/** Whether a text may hold an integer of 16 digits or more, of which JavaScript's numbers would drop some. */
const mayHoldLongInteger = /(?:^|[\s,:[])-?\d{16}/;

/** Whether it may hold a long integer, or an exponent that may exceed what a JavaScript number can hold. */
const mayHoldUnusualNumber = /(?:^|[\s,:[])-?(?:\d{16}|\d[\d.]*[eE]\+?\d{3})/;

/**
 * JSON text as a value. An integer beyond 2^53 - 1 keeps its digits, as a bigint. A member named `__proto__` stays an
 * ordinary own member. Throws a SyntaxError.
 */
export function parsedJson(text: string): unknown {
  return mayHoldLongInteger.test(text) ? readExactly(text, exactNumber) : JSON.parse(text);
}

/**
 * JSON text as {@link parsedJson} reads it, where a number that overflows, as 1e999, becomes the largest number, since
 * JSON has no Infinity.
 */
export function finiteJson(text: string): unknown {
  if (!mayHoldUnusualNumber.test(text)) return JSON.parse(text);
  return readExactly(text, (digits) => finite(exactNumber(digits)));
}

function readExactly(text: string, parseNumber: (digits: string) => number | bigint): unknown {
  // People know the words of the engine's own reader for a text that is no JSON.
  JSON.parse(text);
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** A number as it is written in JSON: a bigint where a number would drop digits of an integer. */
function exactNumber(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(digits) ? value : BigInt(digits);
}

function finite(value: number | bigint): number | bigint {
  if (typeof value === 'bigint') return value;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

type Replacer = (name: string, value: unknown) => unknown;

/**
 * The JSON text of a value, with all digits of its integers.
 * @param indent blanks for each level
 * @param replacer as of JSON.stringify
 */
export function writtenJson(value: unknown, indent?: number, replacer?: Replacer): string {
  try {
    return JSON.stringify(value, replacer, indent);
  } catch (error) {
    // The engine's own writer refuses a bigint at once.
    if (!(error instanceof TypeError) || !/BigInt/i.test(error.message)) throw error;
    return stringify(value, replacer, indent) ?? 'null';
  }
}

/** Whether a value holds an integer beyond 2^53, at any depth. */
export function holdsLongInteger(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(holdsLongInteger);
}

/** The value with plain numbers only, for readers that know no others and look at no digits. */
export function roundedIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || !holdsLongInteger(value)) return value;
  if (Array.isArray(value)) return value.map(roundedIntegers);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, roundedIntegers(member)]));
}

/** JSON text as a value, as `parsedJson` reads it; undefined for any other text. */
export function jsonOrUndefined(text: string): Json | undefined {
  try {
    return parsedJson(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * The JSON text of a value that is sent, measured, searched and written down in different places. An object is never
 * changed, so its text is made once.
 */
export const jsonText = rememberedByObject<Json, string>((value) => writtenJson(value));

/** The unescaped steps of an RFC 6901 JSON Pointer; throws a TypeError for any other text. */
export function pointerSteps(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new TypeError(`a JSON Pointer begins with "/": ${pointer}`);
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at the steps, or undefined. */
export function at(value: Json, steps: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const step of steps) {
    if (Array.isArray(here)) {
      here = (here as readonly Json[])[Number(step)];
    } else if (isObject(here) && Object.hasOwn(here, step)) {
      here = here[step];
    } else {
      return undefined;
    }
  }
  return here;
}

/** A copy with `replacement` at the steps (missing objects are created); undefined removes the member. */
export function withValueAt(value: Json, steps: readonly string[], replacement: Json | undefined): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return replacement ?? null;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, index) =>
      index === Number(step) ? withValueAt(item, rest, replacement) : item,
    );
  }
  const members = new Map(isObject(value) ? Object.entries(value) : []);
  if (rest.length === 0 && replacement === undefined) {
    members.delete(step);
  } else {
    members.set(
      step,
      rest.length === 0 && replacement !== undefined
        ? replacement
        : withValueAt(members.get(step) ?? {}, rest, replacement),
    );
  }
  return Object.fromEntries(members);
}
