import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Exchange } from '../../chat/exchange.js';
import type { Json, JsonObject } from '../../json/json.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { remembered } from '../../json/remembered.js';
import { builtInMasked } from '../../masking/key-like.js';
import type { Outcome, Violation } from '../outcome.js';
import { factsOf, type ExchangeFacts } from './exchange-facts.js';

/** What the service's documentation recommends to log, in the names of `failures.jsonl`; null where it is not known. */
export interface LogFields extends Omit<ExchangeFacts, 'request_path' | 'request_time'> {
  readonly request_path: string | null;
  readonly request_time: string | null;
  readonly class: Outcome['class'];
  readonly reason: Outcome['reason'];
  /** The parse or validation error. */
  readonly error: string | null;
  readonly validation_errors: readonly Violation[];
}

/** Where and when the request was sent. */
export interface Sent {
  readonly url: string | null;
  /** ISO 8601. */
  readonly at: string | null;
}

/**
 * Key-like strings and e-mail addresses are masked in everything that the service wrote. Each member is named, since to copy
 * them from the facts takes longer than to find them.
 * @param outcome masked
 */
export function logFields(exchange: Exchange, outcome: Outcome, sent: Sent): LogFields {
  const facts = factsOf(exchange, outcome.reply, digest);
  return {
    model: typeof facts.model === 'string' ? maskedModel(facts.model) : masked(facts.model),
    request_path: sent.url === null ? null : facts.request_path,
    request_time: sent.at,
    schema_version: maskedText(facts.schema_version),
    http_status: facts.http_status,
    traceresponse: maskedText(facts.traceresponse),
    id: maskedText(facts.id),
    request_id: maskedText(facts.request_id),
    finish_reason: facts.finish_reason === null ? null : maskedWord(facts.finish_reason),
    usage: facts.usage === null ? null : maskedObject(facts.usage),
    stream: facts.stream,
    thinking: { type: masked(facts.thinking.type) },
    reasoning_effort: masked(facts.reasoning_effort),
    max_tokens: masked(facts.max_tokens),
    temperature: masked(facts.temperature),
    class: outcome.class,
    reason: outcome.reason,
    error: outcome.detail,
    validation_errors: outcome.violations,
  };
}

/** A program asks few models, and each of them many times. */
const maskedModel = remembered(50, builtInMasked);

function maskedText(text: string | null): string | null {
  return text === null ? null : builtInMasked(text);
}

/** The value itself where nothing is masked, as in most. */
function masked(value: Json): Json {
  if (typeof value === 'string') return builtInMasked(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? maskedList(value as readonly Json[]) : maskedObject(value as JsonObject);
}

function maskedList(items: readonly Json[]): readonly Json[] {
  const told = items.map(masked);
  return told.every((item, index) => item === items[index]) ? items : told;
}

function maskedObject(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  /** From the first that is masked. */
  let told: (readonly [string, Json])[] | null = null;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    const member = object[name] ?? null;
    const [toldName, toldMember] = [maskedWord(name), masked(member)];
    if (told === null && toldName === name && toldMember === member) continue;
    told ??= names.slice(0, index).map((before) => [before, object[before] ?? null]);
    told.push([toldName, toldMember]);
  }
  return told === null ? object : Object.fromEntries(told);
}

/** Members of `usage` and finish reasons that nearly every service sends. */
const usualWords: ReadonlySet<string> = new Set([
  ...['stop', 'length', 'tool_calls', 'content_filter'],
  ...['prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_tokens_details', 'completion_tokens_details'],
  ...['cached_tokens', 'reasoning_tokens', 'audio_tokens', 'accepted_prediction_tokens', 'rejected_prediction_tokens'],
]);

/** To look a usual word up takes a fifth of the time that it takes to look for keys in it. */
function maskedWord(word: string): string {
  return usualWords.has(word) ? word : builtInMasked(word);
}

/** By the schema object, which is usually a constant of the program. */
const digests = new WeakMap<object, string>();

function digest(schema: Json): string {
  if (typeof schema !== 'object' || schema === null) return digestOf(schema);
  const before = digests.get(schema);
  if (before !== undefined) return before;
  const made = digestOf(schema);
  digests.set(schema, made);
  return made;
}

function digestOf(schema: Json): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(schema))));
}
