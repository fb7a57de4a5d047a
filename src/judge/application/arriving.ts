import { failureKindOf, type Answer, type Exchange, type TransportFailureKind } from '../../chat/exchange.js';
import { isObject, writtenJson } from '../../json/json.js';

/** A response of fetch: in a browser, in Node, or of undici. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | null };
  readonly text: () => Promise<string>;
}

/** The result of `request` of undici. */
export interface UndiciData {
  readonly statusCode: number;
  readonly headers: unknown;
  readonly body: { readonly text: () => Promise<string> };
}

/** The result of `withResponse()` of the openai client. */
export interface WithResponse {
  readonly data: unknown;
  readonly response: FetchResponse;
}

/** An answer of which something has yet to come. */
export type Arriving = PromiseLike<unknown> | AsyncIterable<unknown> | FetchResponse | UndiciData | WithResponse;

/** How to wait for an answer; null where it is there already. */
export function waitFor(given: unknown): (() => Promise<Arrived>) | null {
  if (typeof given !== 'object' || given === null) return null;
  if ('then' in given) return () => settled(given as PromiseLike<unknown>);
  if (isResponse(given)) return () => readResponse(given);
  if (isUndiciData(given)) return () => readUndici(given);
  if (isWithResponse(given)) return () => readBoth(given);
  return isAsyncIterable(given) ? () => collected(given) : null;
}

async function settled(promise: PromiseLike<unknown>): Promise<Arrived> {
  let given: unknown;
  try {
    given = await promise;
  } catch (error) {
    return arrived(error);
  }
  return (await waitFor(given)?.()) ?? arrived(given);
}

function isResponse(given: object): given is FetchResponse & { readonly bodyUsed?: boolean; readonly url?: string } {
  const { status, text, headers } = given as Partial<FetchResponse>;
  return typeof status === 'number' && typeof text === 'function' && typeof headers?.get === 'function';
}

function isUndiciData(given: object): given is UndiciData {
  const { statusCode, body } = given as Partial<UndiciData>;
  return typeof statusCode === 'number' && typeof body?.text === 'function';
}

function isWithResponse(given: object): given is WithResponse {
  const { data, response } = given as Partial<WithResponse>;
  return data !== undefined && typeof response === 'object' && isResponse(response);
}

function isAsyncIterable(given: object): given is AsyncIterable<unknown> {
  return typeof (given as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}

async function readResponse(
  response: FetchResponse & { readonly bodyUsed?: boolean; readonly url?: string },
): Promise<Arrived> {
  if (response.bodyUsed === true) {
    throw new TypeError('the body of this response has been read: judge what you read, { status, headers, body }');
  }
  const head = { status: response.status, headers: plainHeaders(response.headers) };
  return { answer: await wholeAnswer(head, () => response.text()), url: response.url ?? null };
}

async function readUndici({ statusCode, headers, body }: UndiciData): Promise<Arrived> {
  return {
    answer: await wholeAnswer({ status: statusCode, headers: plainHeaders(headers) }, () => body.text()),
    url: null,
  };
}

/** The client has read the body, and the response has the headers. */
async function readBoth({ data, response }: WithResponse): Promise<Arrived> {
  const { answer } = (await waitFor(data)?.()) ?? arrived(data);
  const { url = null } = response as { readonly url?: string };
  return { answer: { ...answer, headers: { ...plainHeaders(response.headers), ...answer.headers } }, url };
}

async function wholeAnswer(head: Pick<Answer, 'status' | 'headers'>, read: () => Promise<string>): Promise<Answer> {
  try {
    return { ...head, body: [await read()], failure: null };
  } catch (error) {
    const failure = (error instanceof Error ? answerBehind(error)?.failure : null) ?? null;
    const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
    return {
      ...head,
      body: [],
      failure: { kind: failure?.kind ?? 'other', message: `the body broke off: ${message}` },
    };
  }
}

async function collected(stream: AsyncIterable<unknown>): Promise<Arrived> {
  const chunks: unknown[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    return arrived(error);
  }
  return arrived(chunks);
}

/** An HTTP answer as far as it has been read. */
export interface ReadAnswer {
  readonly status: number;
  /** A `Headers` object, or a plain one. */
  readonly headers?: unknown;
  /** The text, the pieces of a stream, or the parsed JSON. */
  readonly body?: unknown;
  readonly url?: string;
}

/** An answer that is there, and where it came from if that is known. */
interface Arrived {
  readonly answer: Answer;
  readonly url: string | null;
}

/** Whether something is an exchange as chatspec records it. */
export function isExchange(given: unknown): given is Exchange {
  return isObject(given) && isObject(given['request']) && isObject(given['answer']) && 'failure' in given['answer'];
}

/**
 * An answer in any form in which it is there already: what was read of a response, a parsed completion, the chunks of a
 * stream, the text of a body, or an error that a client threw. Throws what is none of these; an error as it is.
 */
export function arrived(given: unknown): Arrived {
  if (typeof given === 'string') return { answer: plainAnswer(200, {}, [given]), url: null };
  if (Array.isArray(given)) return { answer: answerFromChunks(given as readonly unknown[]), url: null };
  if (typeof given !== 'object' || given === null) throw new TypeError('this is neither an answer nor an error');
  if (given instanceof Error || looksThrown(given)) {
    const behind = answerBehind(given);
    if (behind === null) throw given as Error;
    return { answer: behind, url: null };
  }
  if (isReadAnswer(given)) {
    const { status, headers, body, data, url } = given as ReadAnswer & { readonly data?: unknown };
    const pieces = bodyPieces(body === undefined ? data : body);
    return { answer: plainAnswer(status, plainHeaders(headers), pieces), url: typeof url === 'string' ? url : null };
  }
  return { answer: plainAnswer(200, {}, [writtenJson(given)]), url: null };
}

/** An error of another realm is no instance of this one's class. */
function looksThrown(given: object): boolean {
  return Object.prototype.toString.call(given) === '[object Error]' || ('stack' in given && 'message' in given);
}

/** A completion has no HTTP status. */
function isReadAnswer(given: object): boolean {
  const { status } = given as { readonly status?: unknown };
  return typeof status === 'number' && !('choices' in given);
}

function plainAnswer(status: number, headers: Answer['headers'], body: readonly string[]): Answer {
  return { status, headers, body, failure: null };
}

function bodyPieces(body: unknown): readonly string[] {
  if (body === undefined || body === null) return [];
  if (typeof body === 'string') return [body];
  if (!Array.isArray(body)) return [writtenJson(body)];
  const pieces = body as readonly unknown[];
  return pieces.every((piece) => typeof piece === 'string') ? pieces : answerFromChunks(pieces).body;
}

/**
 * The stream that such chunks came in. Whether [DONE] came cannot be seen, so a finish_reason stands for it: without
 * one nobody knows whether the answer is whole.
 * @param isDone whether [DONE] is known to have come
 */
export function answerFromChunks(chunks: readonly unknown[], isDone = false): Answer {
  const events = chunks.map((chunk) => `data: ${writtenJson(chunk)}\n\n`);
  const isOver = isDone || chunks.some(isEnd);
  const message = 'the stream ended without a finish_reason';
  return {
    status: 200,
    headers: {},
    body: isOver ? [...events, 'data: [DONE]\n\n'] : events,
    failure: isOver ? null : { kind: 'other', message },
  };
}

/** A chunk with a finish_reason, or an error in place of one. */
function isEnd(chunk: unknown): boolean {
  if (typeof chunk !== 'object' || chunk === null) return false;
  const { choices, error } = chunk as { readonly choices?: unknown; readonly error?: unknown };
  if (typeof error === 'object' && error !== null) return true;
  return (
    Array.isArray(choices) &&
    (choices as readonly unknown[]).some((choice) => {
      const reason = (choice as { readonly finish_reason?: unknown } | null)?.finish_reason;
      return typeof reason === 'string' && reason !== '';
    })
  );
}

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
 * The answer behind an error that a client threw: an HTTP error, or no answer at all. null for any other error, which
 * says nothing about a service.
 */
function answerBehind(error: object): Answer | null {
  const thrown: ClientError = error;
  const status = typeof thrown.status === 'number' ? thrown.status : thrown.statusCode;
  if (typeof status === 'number') return errorAnswer(thrown, status);
  return insideStream(thrown) ?? cutOrFilteredAnswer(thrown) ?? failedAnswer(thrown);
}

/** The `APIError` of openai holds the inner error object; the `APICallError` of ai holds the body as text. */
function errorAnswer(thrown: ClientError, status: number): Answer {
  const headers = plainHeaders(thrown.headers ?? thrown.responseHeaders);
  return { status, headers, body: [errorBody(thrown)], failure: null };
}

function errorBody({ responseBody, error, message }: ClientError): string {
  if (typeof responseBody === 'string') return responseBody;
  if (typeof error === 'object' && error !== null) return writtenJson({ error });
  // openai puts the status before a text that is no JSON, and says where there was none.
  const text = typeof message === 'string' ? message.replace(/^\d{3} /, '') : '';
  return text === 'status code (no body)' ? '' : text;
}

/** openai throws an error event of a stream without a status. */
function insideStream({ error, headers }: ClientError): Answer | null {
  if (typeof error !== 'object' || error === null) return null;
  return { status: 200, headers: plainHeaders(headers), body: [writtenJson({ error })], failure: null };
}

function thrownFinishReason(message: string): 'length' | 'content_filter' | null {
  if (message.includes('length limit was reached')) return 'length';
  return message.includes('request was rejected by the content filter') ? 'content_filter' : null;
}

/** The completion behind an error of openai's `parse`: cut, or filtered. */
function cutOrFilteredAnswer({ message }: ClientError): Answer | null {
  const ended = thrownFinishReason(String(message));
  if (ended === null) return null;
  const choices = [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: ended }];
  return { status: 200, headers: {}, body: [writtenJson({ choices })], failure: null };
}

/** By the sentences of fetch in Node and in browsers, and of openai. */
const failureMessagePatterns: readonly (readonly [RegExp, TransportFailureKind])[] = [
  [/^Request timed out\.?$/i, 'total_timeout'],
  [/^Request was aborted\.?$/i, 'interrupted'],
  [/^terminated$/i, 'connection_reset'],
  [/^(?:fetch failed|Failed to fetch|Load failed|Connection error\.?|NetworkError when attempting to fetch)/i, 'other'],
];

function failedAnswer(thrown: ClientError): Answer | null {
  const kind = thrownFailureKind(thrown);
  if (kind === null) return null;
  const causes = [thrown, ...errorCauses(thrown)].map(({ message }) => message);
  const message = causes.filter((one) => typeof one === 'string' && one !== '').join(': ');
  return {
    status: null,
    headers: {},
    body: [],
    failure: { kind, message: message === '' ? 'no answer came' : message },
  };
}

function thrownFailureKind(thrown: ClientError): TransportFailureKind | null {
  for (const { code } of [thrown, ...errorCauses(thrown)]) {
    if (code === 'UND_ERR_ABORTED') return 'interrupted';
    const kind = typeof code === 'string' ? failureKindOf(code) : null;
    if (kind !== null) return kind;
  }
  // Some abort for a time limit, and name that as the cause.
  if ([thrown, ...errorCauses(thrown)].some(({ name }) => name === 'TimeoutError')) return 'total_timeout';
  if (thrown.name === 'AbortError') return 'interrupted';
  return failureMessagePatterns.find(([pattern]) => pattern.test(String(thrown.message)))?.[1] ?? null;
}

/** A cause may be its own cause. */
function errorCauses({ cause }: ClientError): readonly ClientError[] {
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
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), headerValueText(value)]));
}

function headerValueText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
