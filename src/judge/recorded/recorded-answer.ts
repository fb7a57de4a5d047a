import { connectionFaults, transportFailureKinds, type Answer, type TransportFailure } from '../../chat/exchange.js';
import { objectOf, own } from '../../chat/fields.js';
import { parseJson } from '../../chat/parse-json.js';
import { writtenJson, isObject, type Json, type JsonObject } from '../../json/json.js';
import { answerFromChunks, plainHeaders } from '../application/arriving.js';
import { firstMember } from './recorded-pair.js';

/**
 * The answer that a log holds: `{ status, headers, body | chunks }`, a completion, the chunks of a stream, the text of a
 * body, or why no answer came. null for what is none of these.
 */
export function recordedAnswer(given: Json): Answer | null {
  if (typeof given === 'string') return { status: 200, headers: {}, body: [given], failure: null };
  if (Array.isArray(given)) return streamedAnswer(given as readonly Json[]);
  if (!isObject(given)) return null;
  if (own(given, 'choices') !== undefined || !answerMembers.some((name) => own(given, name) !== undefined)) {
    return errorAlone(given) ?? { status: 200, headers: {}, body: [writtenJson(given)], failure: null };
  }
  const status = statusIn(given);
  if (status === undefined) return null;
  const headers = plainHeaders(own(given, 'headers'));
  const chunks = own(given, 'chunks');
  const { body, failure } = Array.isArray(chunks)
    ? streamedAnswer(chunks as readonly Json[])
    : receivedBody(firstMember(given, ['body', 'data', 'text']));
  const failed = givenFailure(given, status);
  return { status, headers, body, failure: failed ?? (status === null ? noAnswer : failure) };
}

const answerMembers = ['status', 'status_code', 'statusCode', 'body', 'chunks', 'failure'];
const noAnswer: TransportFailure = { kind: 'other', message: 'no answer came' };

/** null: no answer came; undefined: what stands there is no status. Without one, a body is what a success brings. */
function statusIn(given: JsonObject): number | null | undefined {
  const named = ['status', 'status_code', 'statusCode'].filter((name) => own(given, name) !== undefined);
  const value = named.length === 0 ? undefined : (firstMember(given, named) ?? null);
  if (value === undefined) return own(given, 'failure') === undefined ? 200 : null;
  return statusOf(value);
}

/** A status as logs write it: a number or its text; 0 where no answer came. */
export function statusOf(value: Json): number | null | undefined {
  if (value === null || value === 0) return null;
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}

function givenFailure(given: JsonObject, status: number | null): TransportFailure | null {
  const failure = own(given, 'failure') ?? (status === null ? own(given, 'error') : undefined);
  return failure === undefined || failure === null ? null : transportFailure(failure);
}

/** Why no whole answer came, from a text or from `{ kind, message }`. */
export function transportFailure(failure: Json): TransportFailure {
  const { kind, message, connection } = isObject(failure) ? failure : { message: failure };
  const text = typeof message === 'string' && message !== '' ? message : noAnswer.message;
  const named = transportFailureKinds.find((one) => one === kind);
  const fault = connectionFaults.find((one) => one === connection);
  return {
    kind: named ?? (/time[sd]?[ -]?out/i.test(text) ? 'total_timeout' : 'other'),
    ...(fault !== undefined && { connection: fault }),
    message: text,
  };
}

/** An error in place of an answer: with the status that it names, or a text that says why none came. */
function errorAlone(given: JsonObject): Answer | null {
  const error = own(given, 'error');
  if (own(given, 'choices') !== undefined || error === undefined || error === null) return null;
  if (typeof error === 'string' && Object.keys(given).length === 1) {
    return { status: null, headers: {}, body: [], failure: transportFailure(error) };
  }
  const named = firstMember(objectOf(error) ?? {}, ['status', 'status_code', 'code']);
  const status = (named === undefined ? undefined : statusOf(named)) ?? 200;
  return { status, headers: {}, body: [writtenJson(given)], failure: null };
}

function receivedBody(given: Json | undefined): Pick<Answer, 'body' | 'failure'> {
  if (given === undefined) return { body: [], failure: null };
  if (typeof given === 'string') return { body: [given], failure: null };
  if (!Array.isArray(given)) return { body: [writtenJson(given)], failure: null };
  const pieces = given as readonly Json[];
  return pieces.every((piece) => typeof piece === 'string') ? { body: pieces, failure: null } : streamedAnswer(pieces);
}

const eventStart = /^\s*(?:data|event|id|retry)[ \t]*:|^\s*:/;

/** The stream that these came in: parsed chunks, their texts, or the text of the body in pieces. */
function streamedAnswer(given: readonly Json[]): Answer {
  const texts = given.filter((one) => typeof one === 'string');
  const isText = texts.length === given.length;
  if (isText && (texts.length === 0 || texts.some((text) => eventStart.test(text)) || !texts.every(isChunkText))) {
    return { status: 200, headers: {}, body: texts, failure: null };
  }
  const chunks = given.map((one) => (typeof one === 'string' ? chunkIn(one) : one)).filter((one) => one !== done);
  return answerFromChunks(chunks, chunks.length < given.length);
}

const done = Symbol('[DONE]');
const isChunkText = (text: string): boolean => chunkIn(text) === done || isObject(chunkIn(text));

function chunkIn(text: string): Json | typeof done {
  if (/^\s*(?:data:\s*)?\[DONE\]\s*$/.test(text)) return done;
  const read = parseJson(text.replace(/^\s*data:/, ''));
  return read.ok ? read.value : text;
}
