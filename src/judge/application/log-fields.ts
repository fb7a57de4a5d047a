import type { Exchange } from '../../chat/exchange.js';
import { isObject, type Json } from '../../json/json.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { sha256 } from '../../json/sha-256.js';
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
 * Key-like strings and e-mail addresses are masked in everything that the service wrote.
 * @param outcome masked
 */
export function logFields(exchange: Exchange, outcome: Outcome, sent: Sent): LogFields {
  const facts = factsOf(exchange, outcome.reply, digest);
  const told = masked(facts as unknown as Json) as unknown as ExchangeFacts;
  return Object.assign({}, told, {
    request_path: sent.url === null ? null : facts.request_path,
    request_time: sent.at,
    class: outcome.class,
    reason: outcome.reason,
    error: outcome.detail,
    validation_errors: outcome.violations,
  });
}

/** The value itself where nothing is masked, as in most. */
function masked(value: Json): Json {
  if (typeof value === 'string') return builtInMasked(value);
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const told = items.map(masked);
    return isSame(items, told) ? items : told;
  }
  if (!isObject(value)) return value;
  const [names, members] = [Object.keys(value), Object.values(value)];
  const [toldNames, told] = [names.map(builtInMasked), members.map(masked)];
  if (isSame(names, toldNames) && isSame(members, told)) return value;
  return Object.fromEntries(toldNames.map((name, index) => [name, told[index] ?? null]));
}

const isSame = <Item>(one: readonly Item[], other: readonly Item[]): boolean =>
  one.every((item, index) => item === other[index]);

/** By the schema object, which is usually a constant of the program. */
const digests = new WeakMap<object, string>();

function digest(schema: Json): string {
  if (typeof schema !== 'object' || schema === null) return sha256(canonicalJson(schema));
  const before = digests.get(schema) ?? sha256(canonicalJson(schema));
  digests.set(schema, before);
  return before;
}
