import type { Answer, Exchange } from '../../chat/exchange.js';
import { isObject } from '../../json/json.js';
import { answerBehind } from './client-errors.js';
import { plainHeaders } from './plain-headers.js';

/** What has been read of an HTTP answer. */
export interface ReadAnswer {
  readonly status: number;
  /** A `Headers` object, or a plain one. */
  readonly headers?: unknown;
  /** The text, the pieces of a stream, or the parsed JSON. */
  readonly body?: unknown;
  readonly url?: string;
}

/** An answer that is there, and where it came from if that is known. */
export interface Arrived {
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
  if (Array.isArray(given)) return { answer: ofChunks(given as readonly unknown[]), url: null };
  if (typeof given !== 'object' || given === null) throw new TypeError('this is neither an answer nor an error');
  if (given instanceof Error || looksThrown(given)) {
    const behind = answerBehind(given);
    if (behind === null) throw given as Error;
    return { answer: behind, url: null };
  }
  if (isReadAnswer(given)) {
    const { status, headers, body, data, url } = given as ReadAnswer & { readonly data?: unknown };
    const pieces = piecesOf(body === undefined ? data : body);
    return { answer: plainAnswer(status, plainHeaders(headers), pieces), url: typeof url === 'string' ? url : null };
  }
  return { answer: plainAnswer(200, {}, [JSON.stringify(given)]), url: null };
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

function piecesOf(body: unknown): readonly string[] {
  if (body === undefined || body === null) return [];
  if (typeof body === 'string') return [body];
  if (!Array.isArray(body)) return [JSON.stringify(body)];
  const pieces = body as readonly unknown[];
  return pieces.every((piece) => typeof piece === 'string') ? pieces : ofChunks(pieces).body;
}

/**
 * The stream that such chunks came in. Whether [DONE] came cannot be seen, so a finish_reason stands for it: without
 * one nobody knows whether the answer is whole.
 */
function ofChunks(chunks: readonly unknown[]): Answer {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const isOver = chunks.some(isEnd);
  const message = 'the stream ended without a finish_reason';
  return {
    ...{ status: 200, headers: {}, body: isOver ? [...events, 'data: [DONE]\n\n'] : events },
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
