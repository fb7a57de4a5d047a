import type { Answer } from '../../chat/exchange.js';
import { objectOf, own } from '../../chat/fields.js';
import { parseJson } from '../../chat/parse-json.js';
import type { Quirk } from '../../chat/quirks.js';
import type { Json, JsonObject } from '../../json/json.js';

/** A request and its answer, as some log has them. */
export interface RecordedPair {
  /** The log's name of the pair; null: it has none. */
  readonly id: string | null;
  /** The body as sent. */
  readonly request: JsonObject;
  readonly answer: Answer;
  /** The demands, in the words of suite files; null: those that follow from the request. */
  readonly expect: Json;
  /** Quirks of which this log cannot tell whether the answer had them. */
  readonly unseen: readonly Quirk[];
}

/** Why something that was read is no pair. */
export const recordProblems = [
  /** The text is no JSON. */
  'not_json',
  /** The text is longer than anybody's answer. */
  'too_long',
  /** JSON of no form that is known. */
  'unknown_form',
  /** An answer without its request. */
  'request_missing',
  /** A request without its answer. */
  'answer_missing',
  /** There is something in the place of an answer that is none. */
  'answer_unreadable',
  /** `expect` cannot be used. */
  'expect_unusable',
] as const;
export type RecordProblem = (typeof recordProblems)[number];

/** The kinds of records of a log. */
export type Recorded =
  | { readonly kind: 'pair'; readonly pair: RecordedPair }
  /** Half of a pair; the other half has the same id. */
  | { readonly kind: 'request'; readonly id: string; readonly request: JsonObject }
  | { readonly kind: 'answer'; readonly id: string | null; readonly answer: Answer }
  /** Of a log that holds other things besides chat completions. */
  | { readonly kind: 'other'; readonly id: string | null }
  | { readonly kind: 'problem'; readonly id: string | null; readonly code: RecordProblem };

/** The halves of a pair, as far as a record has them. */
interface RecordedHalves extends Pick<RecordedPair, 'id'> {
  /** null: the record has none. */
  readonly request: JsonObject | null;
  /** undefined: the record has none. null: what stands there is none. */
  readonly answer: Answer | null | undefined;
  readonly expect?: Json | undefined;
  readonly unseen?: readonly Quirk[];
}

/** The pair of a record that has both halves; else the problem that it is none. */
export function pairOf({ id, request, answer, expect = null, unseen = [] }: RecordedHalves): readonly Recorded[] {
  if (request === null) return [{ kind: 'problem', id, code: 'request_missing' }];
  if (answer === undefined) return [{ kind: 'problem', id, code: 'answer_missing' }];
  if (answer === null) return [{ kind: 'problem', id, code: 'answer_unreadable' }];
  return [{ kind: 'pair', pair: { id, request, answer, expect, unseen } }];
}

/** Recognises the records of one log; null for all others. */
export type RecordForm = (record: JsonObject) => readonly Recorded[] | null;

/** The first of these members that there is. */
export function firstMember(record: JsonObject, names: readonly string[]): Json | undefined {
  for (const name of names) {
    const value = own(record, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** A text or a number of a log as text; empty for anything else. */
export function loggedText(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** An id as text; null for what is none. */
export function recordId(record: JsonObject, names: readonly string[]): string | null {
  const text = loggedText(firstMember(record, names));
  return text === '' ? null : text;
}

/** A value that a log keeps as it is or as JSON text. */
export function decodedJson(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  const read = parseJson(value);
  return read.ok ? read.value : value;
}

/**
 * The body of a request: itself, or within what was sent over HTTP; null for anything else. A record of what was sent
 * to another endpoint is none.
 */
export function requestBodyIn(given: Json | undefined): JsonObject | null {
  const request = objectOf(decodedJson(given));
  if (request === null) return null;
  if (own(request, 'messages') !== undefined) return request;
  const body = objectOf(decodedJson(own(request, 'body')));
  return body ?? request;
}

/** Whether an address is that of another endpoint than Chat Completions. */
export function isOtherEndpoint(url: Json | undefined): boolean {
  return (
    typeof url === 'string' &&
    /\/(?:responses|embeddings|completions|moderations|images|audio)\b/.test(url.replace(/\/chat\/completions\b/, ''))
  );
}
