import { createContext, Script } from 'node:vm';
import { withinWork } from '../../judge/time-limit.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { builtInMasked, keyLikeNames, mask, sign } from '../../masking/key-like.js';
import type { Masker } from '../../masking/masker.js';
import { eachText } from './capped.js';

/** Masks what must not leave the run folder. */
export interface Redact {
  (text: string): string;
  /**
   * true: neither the text nor any text of the JSON in it, in however many layers it is encoded, holds anything to
   * mask. Much faster than to decode and mask them one by one; absent: nobody knows.
   */
  readonly isClean?: (json: string) => boolean;
}

/** Milliseconds of work for the configured patterns on one text, and in total before they are given up. */
const timeLimit = { text: 250, sum: 2000 };

/**
 * A redactor for the configured patterns (regular expressions) besides the built-in ones.
 * If a pattern takes too long, the whole text is masked.
 * Throws a SyntaxError for an invalid pattern.
 * @param keys masks keys in use
 * @param names of targets and models, which stay readable even where they look like a key
 */
export function redactor(patterns: readonly string[] = [], keys?: Masker, names: readonly string[] = []): Redact {
  const configured = patterns.length === 0 ? (text: string) => text : cachedRedact(configuredPatterns(patterns));
  const kept = keyLikeNames(names);
  const known = (text: string) => keys?.mask(text) ?? text;
  const redact: Redact = (text) => configured(builtInMasked(known(text), kept));
  // A pattern may want the beginning or the end of a text, so it has to see each text as it is.
  if (patterns.length > 0) return redact;
  const isClean = (json: string) => !sign.test(json) && !escapedSign.test(json) && keys?.holds(json) !== true;
  return Object.assign(redact, { isClean });
}

/** How JSON can write a sign in other characters: by the codes of its letters, and with an escape for white space. */
const escapedSign = /\\u00[2-7]|(?:Bearer|Basic)\\/i;

/** Short texts (names, headers, prompts) are repeated often, and running patterns interruptibly is slow. */
function cachedRedact(redact: Redact): Redact {
  const limit = { entries: 10_000, length: 400 };
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > limit.length) return redact(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= limit.entries) known.clear();
    const masked = redact(text);
    known.set(text, masked);
    return masked;
  };
}

/** Runs the patterns in a context that can be interrupted. */
function configuredPatterns(patterns: readonly string[]): Redact {
  for (const pattern of patterns) new RegExp(pattern, 'gu');
  const sandbox = createContext({ patterns: JSON.stringify(patterns), mask, text: '' });
  new Script('const compiled = JSON.parse(patterns).map((pattern) => new RegExp(pattern, "gu"))').runInContext(sandbox);
  const replaceAll = new Script('compiled.reduce((rest, pattern) => rest.replace(pattern, () => mask), text)');
  let wasted = 0;
  return (text) => {
    if (wasted >= timeLimit.sum) return '[redacted: a redact pattern is too slow]';
    sandbox['text'] = text;
    try {
      return withinWork(timeLimit.text, (timeout) => replaceAll.runInContext(sandbox, { timeout }) as string);
    } catch {
      wasted += timeLimit.text;
      return '[redacted: a redact pattern was too slow for this text]';
    }
  };
}

/**
 * Redacts JSON that others wrote, names and numbers included: a model may put an address into a member's name, or a
 * telephone number into a number. What holds nothing to mask is not copied.
 */
export function redactForeign(value: Json, redact: Redact): Json {
  if (typeof value === 'number') {
    const text = String(value);
    const masked = redact(text);
    return masked === text ? value : masked;
  }
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return redactedItems(value as readonly Json[], redact);
  return isObject(value) ? redactedMembers(value, redact) : value;
}

function redactedItems(items: readonly Json[], redact: Redact): readonly Json[] {
  let copy: Json[] | null = null;
  // Pages hold millions of values, and an iterator makes an array for each.
  for (let index = 0; index < items.length; index++) {
    const before = items[index] as Json;
    const item = redactForeign(before, redact);
    if (item !== before) (copy ??= [...items])[index] = item;
  }
  return copy ?? items;
}

function redactedMembers(value: JsonObject, redact: Redact): JsonObject {
  const names = Object.keys(value);
  let copy: [string, Json][] | null = null;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const before = value[name] as Json;
    const own = redact(name);
    const member = redactForeign(before, redact);
    if (copy === null && own === name && member === before) continue;
    copy ??= names.slice(0, index).map((one) => [one, value[one] as Json]);
    copy.push([own, member]);
  }
  return copy === null ? value : Object.fromEntries(copy);
}

/**
 * Redacts every string in a value that chatspec made; names and numbers stay. What holds nothing to mask is not copied.
 */
export function redactAll<T>(value: T, redact: Redact): T {
  return eachText(value, redact);
}
