import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import type { Exchange } from '../../chat/exchange.js';
import type { Reply } from '../../chat/reply.js';

/** What the service's documentation recommends to log, under its names; null if absent. */
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

/** What the facts take from a reply. */
export type RepliedFacts = Pick<Reply, 'id' | 'request_id' | 'finish_reason' | 'usage'>;

/** SHA-256 of canonical JSON, in lower-case hex. */
export type Digest = (value: Json) => string;

/** @param reply what was read of the answer; null: nothing */
export function factsOf(
  { request, answer, timing }: Exchange,
  reply: RepliedFacts | null,
  digest: Digest,
): ExchangeFacts {
  const field = (...steps: string[]): Json => at(request.body, steps) ?? null;
  return {
    model: field('model'),
    request_path: pathOf(request.url),
    request_time: timing.started_at,
    schema_version: schemaVersion(request.body, digest),
    http_status: answer.status,
    traceresponse: answer.headers['traceresponse'] ?? null,
    id: reply?.id ?? null,
    request_id: reply?.request_id ?? answer.headers['x-request-id'] ?? null,
    finish_reason: reply?.finish_reason ?? null,
    usage: reply && isObject(reply.usage) ? reply.usage : null,
    stream: field('stream') === true,
    thinking: { type: field('thinking', 'type') },
    reasoning_effort: field('reasoning_effort'),
    max_tokens: field('max_tokens') ?? field('max_completion_tokens'),
    temperature: field('temperature'),
  };
}

/** The path of an address; the whole text if it is none. */
export function pathOf(url: string): string {
  // A bare JavaScript engine has no URL.
  return typeof URL === 'function' && URL.canParse(url) ? new URL(url).pathname : url;
}

/**
 * The versions of the schemas in a request body: name and SHA-256 of the canonical JSON, `invoice sha256:...`; one for
 * each tool. null if the request has no schema.
 */
export function schemaVersion(body: Json, digest: Digest): string | null {
  const tools = at(body, ['tools']);
  const versions = [
    version(at(body, ['response_format', 'json_schema']), 'schema', digest),
    ...(Array.isArray(tools) ? (tools as readonly Json[]) : []).map((tool) =>
      version(at(tool, ['function']), 'parameters', digest),
    ),
  ].filter((one) => one !== null);
  return versions.length === 0 ? null : versions.join(', ');
}

function version(holder: Json | undefined, member: string, digest: Digest): string | null {
  if (!isObject(holder)) return null;
  const schema = holder[member];
  const name = typeof holder['name'] === 'string' ? holder['name'] : '';
  return schema === undefined ? null : `${name} sha256:${digest(schema)}`;
}
