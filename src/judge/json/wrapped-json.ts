import { endOfString, findBracket, mayBeJson, parseJson } from '../../chat/parse-json.js';
import type { Quirk } from '../../chat/quirks.js';
import { type Json, parsedJson } from '../../json/json.js';
import { once } from '../../json/remembered.js';

/** Kinds of texts that should be JSON. */
type JsonText =
  | { readonly kind: 'json'; readonly value: Json; readonly quirks: readonly Quirk[] }
  /** JSON that a strict parser cannot reach: inside a fence, or behind a <think> block or other text. */
  | { readonly kind: 'wrapped'; readonly how: 'fence' | 'think' | 'prose'; readonly inner: Json }
  /** JSON beside a character that counts as white space, but not in JSON, such as a byte order mark. */
  | { readonly kind: 'wrapped'; readonly how: 'space'; readonly inner: Json; readonly beside: string }
  /** JSON that was cut, or damaged so that nothing closes it. */
  | { readonly kind: 'cut'; readonly length: number; readonly why: Why }
  /** JSON that is damaged, with brackets that close all the same. */
  | { readonly kind: 'broken'; readonly why: Why }
  | { readonly kind: 'several' }
  | { readonly kind: 'other'; readonly why: Why };

/** The words of JSON.parse about a text. Few are asked for, and each makes an error. */
type Why = () => string;

/** Reads a text as a strict consumer would. If that fails, the result says why. */
export function readJsonText(text: string): JsonText {
  const parsed = mayBeJson(text) ? parseJson(text) : null;
  if (parsed?.ok === true) return { kind: 'json', value: parsed.value, quirks: jsonOddities(text) };
  const why: Why = once(() => parsed?.error ?? jsonErrorText(text));
  const unthought = withoutThinking(text);
  if (unthought !== text) {
    const behind = innerJson(unthought);
    if (behind !== undefined) return { kind: 'wrapped', how: 'think', inner: behind };
  }
  const trimmed = text.trim();
  const fenced = insideFence(trimmed);
  const inFence = fenced === null ? undefined : parseJson(fenced);
  if (inFence?.ok === true) return { kind: 'wrapped', how: 'fence', inner: inFence.value };
  if (/^[[{]/.test(trimmed)) {
    const end = endOfValue(trimmed);
    if (end === null) return { kind: 'cut', length: text.length, why };
    const first = parseJson(trimmed.slice(0, end));
    const rest = trimmed.slice(end).trim();
    if (first.ok && /^[[{]/.test(rest)) return { kind: 'several' };
    if (!first.ok) return { kind: 'broken', why };
    const beside = rest === '' ? oddSpaceIn(text) : null;
    if (beside !== null) return { kind: 'wrapped', how: 'space', inner: first.value, beside };
    return { kind: 'wrapped', how: 'prose', inner: first.value };
  }
  const inside = innerJson(text);
  if (inside === undefined) return { kind: 'other', why };
  return { kind: 'wrapped', how: /(?:`{3}|~{3})/.test(text) ? 'fence' : 'prose', inner: inside };
}

/** The first character around a document that is trimmed away, although JSON does not allow it; null: there is none. */
function oddSpaceIn(text: string): string | null {
  const around = text.slice(0, text.length - text.trimStart().length) + text.slice(text.trimEnd().length);
  const odd = /[^ \t\r\n]/.exec(around)?.[0];
  if (odd === undefined) return null;
  if (odd === '\ufeff') return 'a byte order mark (U+FEFF)';
  return `white space that JSON does not allow (U+${odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')})`;
}

/**
 * The content of the code fence that a trimmed text consists of; null where it is none. By hand: a pattern would
 * backtrack.
 */
function insideFence(text: string): string | null {
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  const lineEnd = text.indexOf('\n');
  if (fence === undefined || lineEnd < 0) return null;
  const end = text.length - fence.length;
  if (end <= lineEnd || !text.endsWith(fence)) return null;
  const language = text.slice(fence.length, lineEnd).trim();
  return /\W/.test(language) ? null : text.slice(lineEnd + 1, end);
}

/** Whether a parsed value is a string that contains a JSON document, as a document encoded twice is. */
export function isEncodedTwice(value: Json): boolean {
  if (typeof value !== 'string') return false;
  const inner = parseJson(value);
  if (!inner.ok) return false;
  return typeof inner.value === 'string'
    ? isEncodedTwice(inner.value)
    : typeof inner.value === 'object' && inner.value !== null;
}

/** The text after leading reasoning, even where only its closing tag is present. */
export function withoutThinking(text: string): string {
  // Hardly any text has a tag, and this finds it thirty times faster.
  if (!text.includes('</')) return text;
  const close = /^[\s\S]*<\/(?:[\w-]+:)?(?:think|thinking|thought|reasoning)>/i.exec(text);
  return close === null ? text : text.slice(close[0].length);
}

/** The first object or array anywhere in a text. */
export function innerJson(text: string): Json | undefined {
  let tries = 0;
  for (const { index } of text.matchAll(/[[{]/g)) {
    if (tries++ === 20) return undefined;
    const rest = text.slice(index);
    const end = endOfValue(rest);
    const parsed = end === null ? null : parseJson(rest.slice(0, end));
    if (parsed?.ok === true) return parsed.value;
  }
  return undefined;
}

/** Where the bracket at the start of a text is closed; null if it never is. */
function endOfValue(text: string): number | null {
  const last = findBracket(text, (depth) => depth === 0);
  return last === null ? null : last + 1;
}

/**
 * Whether a document that nothing closes was right up to its end. Engines say where it stops being JSON; where one does
 * not, it ends there.
 */
export function breaksOff({ length, why }: Extract<JsonText, { kind: 'cut' }>): boolean {
  const said = why();
  const place = / position (\d+)/.exec(said)?.[1];
  return place === undefined ? !/Unexpected token/.test(said) : Number(place) >= length;
}

/**
 * One line for people: why a text is not the expected JSON.
 * @param inPieces it came in chunks
 */
export function whyNotJson(read: Exclude<JsonText, { kind: 'json' }>, inPieces: boolean): string {
  switch (read.kind) {
    case 'cut':
      if (breaksOff(read)) return `JSON that breaks off before its end: ${read.why()}`;
      return `JSON that is broken in the middle${inPieces ? lostChunkHint : ''}: ${read.why()}`;
    case 'broken':
      return inPieces ? `JSON that is broken in the middle${lostChunkHint}: ${read.why()}` : `not JSON: ${read.why()}`;
    case 'several':
      return 'several JSON documents one after another';
    case 'other':
      return `not JSON: ${read.why()}`;
    case 'wrapped':
      if (read.how === 'fence') return 'JSON inside a Markdown code fence';
      if (read.how === 'space') return `JSON beside ${read.beside}`;
      return read.how === 'think' ? 'JSON behind a <think> block' : 'JSON surrounded by other text';
  }
}

/** A code for the same. */
export const flawOf = (read: Exclude<JsonText, { kind: 'json' }>): string =>
  read.kind === 'wrapped' ? read.how : read.kind;

const lostChunkHint = ', as when a chunk is lost or comes twice';

/** Why a text is not JSON. */
function jsonErrorText(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? '' : parsed.error;
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Digits that a double rounds, or a number that is larger than every double and so an integer as well (1e400). */
function isBeyondDoubles(digits: string): boolean {
  if (/^-?\d+$/.test(digits)) return !Number.isSafeInteger(Number(digits));
  return !Number.isFinite(Number(digits));
}

/** Oddities of valid JSON text that are lost once it is parsed. Takes linear time. */
function jsonOddities(text: string): Quirk[] {
  const found = new Set<Quirk>();
  /** The members seen so far of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  /** The text as it is written, without its quotes. */
  let lastString = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at + 1);
      lastString = text.slice(at + 1, end);
      at = end;
    } else if (char === '{') {
      open.push(new Set());
    } else if (char === '[') {
      open.push(null);
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === ':') {
      const name = lastString.includes('\\') ? (parsedJson(`"${lastString}"`) as string) : lastString;
      const members = open.at(-1);
      if (members?.has(name) === true) found.add('duplicate_keys');
      members?.add(name);
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      number.lastIndex = at;
      const [digits = ''] = number.exec(text) ?? [];
      if (isBeyondDoubles(digits)) found.add('integer_beyond_2_53');
      at += digits.length - 1;
    }
  }
  return [...found];
}
