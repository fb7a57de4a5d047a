import { urlOf } from '../../json/url-of.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { memberOf, objectOf, own } from '../../chat/fields.js';
import { requestKind, type RequestKind } from '../../chat/request-kind.js';
import type { Exchange } from '../../chat/exchange.js';
import type { Reply } from '../../chat/reply.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { builtInMasked } from '../../masking/key-like.js';
import { maskedJson } from '../../masking/mask-json.js';
import type { Outcome, Violation } from '../outcome.js';

/** The fields that the service's documentation recommends to log, under its names; null if absent. */
export interface ExchangeFacts {
  /** The requested model id. */
  readonly model: Json;
  readonly request_path: string;
  /** ISO 8601, UTC. */
  readonly request_time: string;
  /** Name and SHA-256 of the canonical schema. */
  readonly schema_version: string | null;
  readonly http_status: number | null;
  readonly traceresponse: string | null;
  readonly id: string | null;
  readonly request_id: string | null;
  readonly finish_reason: string | null;
  /** Whole, `completion_tokens_details` included. */
  readonly usage: JsonObject | null;
  readonly stream: boolean;
  readonly thinking: { readonly type: Json };
  readonly reasoning_effort: Json;
  readonly max_tokens: Json;
  readonly temperature: Json;
}

/** Members that the facts take from a reply. */
export type RepliedFacts = Pick<Reply, 'id' | 'request_id' | 'finish_reason' | 'usage'>;

/** SHA-256 of canonical JSON, in lower-case hex. */
type Digest = (value: Json) => string;

/** @param reply what was read of the answer; null: nothing */
export function loggedExchangeFacts(
  { request, answer, timing }: Exchange,
  reply: RepliedFacts | null,
  digest: Digest,
): ExchangeFacts {
  const body = objectOf(request.body) ?? {};
  const kind = requestKind(body);
  return {
    model: own(body, 'model') ?? null,
    request_path: urlPath(request.url),
    request_time: timing.started_at,
    schema_version: schemaVersion(kind, digest),
    http_status: answer.status,
    traceresponse: answer.headers['traceresponse'] ?? null,
    id: reply?.id ?? null,
    request_id: reply?.request_id ?? answer.headers['x-request-id'] ?? null,
    finish_reason: reply?.finish_reason ?? null,
    usage: reply && isObject(reply.usage) ? reply.usage : null,
    stream: kind.stream,
    thinking: { type: memberOf(own(body, 'thinking'), 'type') ?? null },
    reasoning_effort: own(body, 'reasoning_effort') ?? null,
    max_tokens: own(body, 'max_tokens') ?? own(body, 'max_completion_tokens') ?? null,
    temperature: own(body, 'temperature') ?? null,
  };
}

/** The path of an address; the whole text if it is none. */
export function urlPath(url: string): string {
  // A bare JavaScript engine has no URL, and what is empty has no path.
  return urlOf(url)?.pathname ?? url;
}

/**
 * The versions of the schemas that a request asks for: name and SHA-256 of the canonical JSON, `invoice sha256:...`;
 * one for each tool. null if it has no schema.
 */
function schemaVersion({ schema, schemaName, tools }: RequestKind, digest: Digest): string | null {
  const schemas = [{ name: schemaName ?? '', parameters: schema }, ...tools.values()];
  const versions = schemas.flatMap(({ name, parameters }) =>
    parameters === null ? [] : [`${name} sha256:${digest(parameters)}`],
  );
  return versions.length === 0 ? null : versions.join(', ');
}

/** Fields to log, in the names of `failures.jsonl`; null where they are not known. */
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
interface SentRequestFacts {
  readonly url: string | null;
  /** ISO 8601. */
  readonly at: string | null;
}

/**
 * Key-like strings and e-mail addresses are masked in everything that the service wrote.
 * @param outcome masked
 */
export function logFields(exchange: Exchange, outcome: Outcome, sent: SentRequestFacts): LogFields {
  const { request_path, ...facts } = loggedExchangeFacts(exchange, outcome.reply, schemaDigest);
  return {
    ...(maskedJson(facts, builtInMasked) as unknown as Omit<ExchangeFacts, 'request_path'>),
    request_path: sent.url === null ? null : request_path,
    request_time: sent.at,
    class: outcome.class,
    reason: outcome.reason,
    error: outcome.detail,
    validation_errors: outcome.violations.map(({ at, message }) => ({ at, message })),
  };
}

function schemaDigest(schema: Json): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(schema))));
}
