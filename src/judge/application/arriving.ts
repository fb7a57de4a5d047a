import type { Answer } from '../../chat/exchange.js';
import { answerBehind } from './client-errors.js';
import { plainHeaders } from './plain-headers.js';
import { arrived, type Arrived } from './read-forms.js';

/** A response of fetch: in a browser, in Node, or of undici. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | null };
  readonly text: () => Promise<string>;
}

/** What `request` of undici gives. */
export interface UndiciData {
  readonly statusCode: number;
  readonly headers: unknown;
  readonly body: { readonly text: () => Promise<string> };
}

/** What `withResponse()` of the openai client gives. */
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
  return { answer: await whole(head, () => response.text()), url: response.url ?? null };
}

async function readUndici({ statusCode, headers, body }: UndiciData): Promise<Arrived> {
  return { answer: await whole({ status: statusCode, headers: plainHeaders(headers) }, () => body.text()), url: null };
}

/** The client has read the body, and the response has the headers. */
async function readBoth({ data, response }: WithResponse): Promise<Arrived> {
  const { answer } = (await waitFor(data)?.()) ?? arrived(data);
  const { url = null } = response as { readonly url?: string };
  return { answer: { ...answer, headers: { ...plainHeaders(response.headers), ...answer.headers } }, url };
}

async function whole(head: Pick<Answer, 'status' | 'headers'>, read: () => Promise<string>): Promise<Answer> {
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
