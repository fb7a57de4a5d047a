import { type Json, finiteJson } from '../json/json.js';

/** Deeper documents are refused, since later readers walk values recursively. */
const deepestJsonNesting = 500;

type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  /** One line for people: what is wrong with the text. */
  | { readonly ok: false; readonly error: string };

/** JSON text as a value, as {@link finiteJson} reads it; never throws. */
export function parseJson(text: string): ParsedJson {
  if (nestsTooDeep(text)) return { ok: false, error: `nested deeper than ${deepestJsonNesting} levels` };
  try {
    return { ok: true, value: finiteJson(text) as Json };
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

function nestsTooDeep(text: string): boolean {
  if (!holdsBrackets(text, deepestJsonNesting + 1)) return false;
  return findBracket(text, (depth) => depth > deepestJsonNesting) !== null;
}

/** Whether a text holds so many opening brackets, wherever they stand. */
function holdsBrackets(text: string, count: number): boolean {
  if (text.length < count) return false;
  let left = count;
  for (const opening of ['{', '[']) {
    for (let at = text.indexOf(opening); at >= 0 && left > 0; at = text.indexOf(opening, at + 1)) left -= 1;
  }
  return left <= 0;
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
    } else if (char === openingBrace || char === bracket) {
      if (isWanted(++depth)) return at;
    } else if (char === closingBrace || char === closingBracket) {
      if (isWanted(--depth)) return at;
    }
  }
  return null;
}

const [quote, backslash, openingBrace, bracket, closingBrace, closingBracket] = [34, 92, 123, 91, 125, 93];

/**
 * Where the string ends that began before `start`, at its closing quote; -1: it does not. Strings are most of an
 * answer, so they are jumped over.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > start && text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/** The form of a body, judged by the body alone because headers may be wrong. */
type BodyForm =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'events' }
  | { readonly kind: 'html' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'other'; readonly error: string };

/** A service that dies may write `error: ...` in front of, or instead of, its events. */
const beginsAsEvents = /^(?:data|event|id|retry|error)[ \t]*:|^:/;
const eventLine = new RegExp(beginsAsEvents.source, 'm');

/** `{`, as nearly every plain answer begins. */
const brace = 123;

const leadingComments = /^(?:<!--(?:(?!-->)[\s\S])*-->\s*)+/;

/** Recognises the form of a body. A stream never parses as JSON, and no line of JSON looks like a line of a stream. */
export function bodyForm(text: string): BodyForm {
  // A byte order mark counts as white space.
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  // Neither JSON nor a page begins like this, and to parse what cannot be JSON makes an error each time.
  if (trimmed.charCodeAt(0) !== brace && beginsAsEvents.test(trimmed)) return { kind: 'events' };
  const parsed = parseJson(trimmed);
  if (parsed.ok) return { kind: 'json', value: parsed.value };
  const page = trimmed.replace(leadingComments, '');
  if (/^<(?:!doctype|html|head|body|center|h1|\?xml[^<]*<(?:!doctype )?html)/i.test(page)) return { kind: 'html' };
  if (!/^[[{]/.test(trimmed) && eventLine.test(trimmed)) return { kind: 'events' };
  return { kind: 'other', error: parsed.error };
}
