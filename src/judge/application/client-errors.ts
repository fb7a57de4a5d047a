import type { Answer, TransportFailureKind } from '../../chat/exchange.js';

/** An error as clients throw it; every member may be missing. */
interface ClientError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly headers?: unknown;
  readonly responseHeaders?: unknown;
  readonly responseBody?: unknown;
  readonly error?: unknown;
}

/**
 * The answer behind an error that a client threw: an HTTP error, or no answer at all. null for any other error, which says
 * nothing about a service.
 */
export function answerBehind(error: object): Answer | null {
  const thrown: ClientError = error;
  const status = typeof thrown.status === 'number' ? thrown.status : thrown.statusCode;
  if (typeof status === 'number') return refused(thrown, status);
  return insideStream(thrown) ?? cutOrFiltered(thrown) ?? failed(thrown);
}

/** The `APIError` of openai holds the inner error object; the `APICallError` of ai holds the body as text. */
function refused(thrown: ClientError, status: number): Answer {
  const headers = plainHeaders(thrown.headers ?? thrown.responseHeaders);
  return { status, headers, body: [bodyOf(thrown)], failure: null };
}

function bodyOf({ responseBody, error, message }: ClientError): string {
  if (typeof responseBody === 'string') return responseBody;
  if (typeof error === 'object' && error !== null) return JSON.stringify({ error });
  // openai puts the status before a text that is no JSON, and says where there was none.
  const text = typeof message === 'string' ? message.replace(/^\d{3} /, '') : '';
  return text === 'status code (no body)' ? '' : text;
}

/** openai throws an error event of a stream without a status. */
function insideStream({ error, headers }: ClientError): Answer | null {
  if (typeof error !== 'object' || error === null) return null;
  return { status: 200, headers: plainHeaders(headers), body: [JSON.stringify({ error })], failure: null };
}

/** What openai's `parse` throws in place of a completion that was cut or filtered. */
function cutOrFiltered({ message }: ClientError): Answer | null {
  const ended = /length limit was reached/.test(String(message))
    ? 'length'
    : /request was rejected by the content filter/.test(String(message))
      ? 'content_filter'
      : null;
  if (ended === null) return null;
  const choices = [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: ended }];
  return { status: 200, headers: {}, body: [JSON.stringify({ choices })], failure: null };
}

/** By the code that the error or its cause has. */
const kinds: Readonly<Record<string, TransportFailureKind>> = {
  ...{ ECONNREFUSED: 'connection_refused', ECONNRESET: 'connection_reset', EPIPE: 'connection_reset' },
  ...{ UND_ERR_SOCKET: 'connection_reset', ENOTFOUND: 'dns', EAI_AGAIN: 'dns', ETIMEDOUT: 'connect_timeout' },
  ...{ UND_ERR_CONNECT_TIMEOUT: 'connect_timeout', UND_ERR_HEADERS_TIMEOUT: 'headers_timeout' },
  ...{ UND_ERR_BODY_TIMEOUT: 'body_timeout', UND_ERR_ABORTED: 'interrupted', ERR_TLS_CERT_ALTNAME_INVALID: 'tls' },
  ...{ DEPTH_ZERO_SELF_SIGNED_CERT: 'tls', SELF_SIGNED_CERT_IN_CHAIN: 'tls', CERT_HAS_EXPIRED: 'tls' },
};

/** By the sentences of fetch in Node and in browsers, and of openai. */
const sentences: readonly (readonly [RegExp, TransportFailureKind])[] = [
  [/^Request timed out\.?$/i, 'total_timeout'],
  [/^Request was aborted\.?$/i, 'interrupted'],
  [/^terminated$/i, 'connection_reset'],
  [/^(?:fetch failed|Failed to fetch|Load failed|Connection error\.?|NetworkError when attempting to fetch)/i, 'other'],
];

function failed(thrown: ClientError): Answer | null {
  const kind = kindOf(thrown);
  if (kind === null) return null;
  const causes = [thrown, ...causesOf(thrown)].map(({ message }) => message);
  const message = causes.filter((one) => typeof one === 'string' && one !== '').join(': ');
  return {
    status: null,
    headers: {},
    body: [],
    failure: { kind, message: message === '' ? 'no answer came' : message },
  };
}

function kindOf(thrown: ClientError): TransportFailureKind | null {
  for (const { code } of [thrown, ...causesOf(thrown)]) {
    if (typeof code === 'string' && Object.hasOwn(kinds, code)) return kinds[code] ?? null;
  }
  // Some abort for a time limit, and name that as the cause.
  if ([thrown, ...causesOf(thrown)].some(({ name }) => name === 'TimeoutError')) return 'total_timeout';
  if (thrown.name === 'AbortError') return 'interrupted';
  return sentences.find(([pattern]) => pattern.test(String(thrown.message)))?.[1] ?? null;
}

/** A cause may be its own cause. */
function causesOf({ cause }: ClientError): readonly ClientError[] {
  const found: ClientError[] = [];
  for (let next = cause; typeof next === 'object' && next !== null && found.length < 5;) {
    found.push(next);
    next = (next as ClientError).cause;
  }
  return found;
}

/** Headers as a plain object with names in lower case, from a `Headers` object, a plain one, or pairs. */
export function plainHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  const entries = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
  const pairs = entries.filter((entry): entry is readonly unknown[] => Array.isArray(entry) && entry.length === 2);
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), textOf(value)]));
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
