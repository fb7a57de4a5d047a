import type { Answer } from '../../chat/exchange.js';
import { retryAfterOf as retryAfter } from '../../chat/errors/retry-after.js';
import { readAnswer as read } from '../../chat/read-answer.js';
import { taking } from '../../options/first-argument.js';
import { serverErrorAsFailure as asFailure } from '../climb.js';
import { classify as classified } from '../refusals/classify.js';
import { type FetchResponse, arrived, type ReadAnswer } from './arriving.js';

/** What a run calls for every answer, and a program calls by hand. */

const hasHeaders = (value: object): boolean => isObject((value as { headers?: unknown }).headers);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const answer = 'an answer, { status, headers, body }';

/**
 * The reply of a 200, or what is wrong with it.
 * @param given the body may be the text, the pieces of a stream, or the parsed JSON
 */
export const readAnswer = taking('readAnswer', answer, isRead, (given: Answer | ReadAnswer) => {
  if (isUnread(given))
    throw new TypeError(
      '`readAnswer`: nobody has read the body of this response: give { status, headers, body: await response.text() }',
    );
  return read(whole(given));
});

export const classify = taking('classify', 'a refusal, { status, headers, body, request }', hasHeaders, classified);

export const serverErrorAsFailure = taking(
  'serverErrorAsFailure',
  'an outcome of `judge`',
  (value) => 'class' in value && 'status' in value,
  asFailure,
);

const waitOf = taking(
  'retryAfterOf',
  answer,
  isRead,
  (given: Answer | ReadAnswer | FetchResponse, now: number | Date) =>
    // Of a response that nobody has read, the headers may tell.
    retryAfter(whole(isUnread(given) ? { status: given.status, headers: given.headers } : given), now),
);

/**
 * How long an answer asks to wait, in seconds, at most an hour; null where it does not say.
 * @param now by default the present
 */
export function retryAfterOf(
  answer: Answer | ReadAnswer | FetchResponse,
  now: number | Date = Date.now(),
): number | null {
  if (Number.isNaN(Number(now))) throw new RangeError('`retryAfterOf`: now is no date');
  return waitOf(answer, now);
}

/** A completion has no HTTP status. */
function isRead(value: object): boolean {
  const { status } = value as { readonly status?: unknown };
  return (typeof status === 'number' || (status === null && 'failure' in value)) && !('choices' in value);
}

function isUnread(given: object): given is FetchResponse {
  return typeof (given as Partial<FetchResponse>).text === 'function';
}

/** As a run records it. One that is so already stays the same object, by which readings are remembered. */
function whole(given: Answer | ReadAnswer): Answer {
  const isWhole = 'failure' in given && Array.isArray(given.body) && isObject(given.headers);
  return isWhole ? given : arrived(given).answer;
}
