import type { Answer } from '../../chat/exchange.js';
import type { Reading } from '../../chat/reply.js';
import { retryAfterOfAnswer as retryAfter } from '../../chat/errors/retry-after.js';
import { readExchangeAnswer as read } from '../../chat/read-answer.js';
import { type FetchResponse, arrived, type ReadAnswer } from './arriving.js';

/** Functions that a run calls for every answer, and a program by hand. */

/**
 * The reply of a 200, or what is wrong with it.
 * @param given the body may be the text, the pieces of a stream, or the parsed JSON
 */
export function readAnswer(given: Answer | ReadAnswer): Reading {
  if (isUnread(given)) {
    throw new TypeError(
      '`readAnswer`: nobody has read the body of this response: give { status, headers, body: await response.text() }',
    );
  }
  return read(completeAnswer(given));
}

/**
 * How long an answer asks to wait, in seconds, at most an hour; null where it does not say.
 * @param now by default the present
 */
export function retryAfterOf(
  answer: Answer | ReadAnswer | FetchResponse,
  now: number | Date = Date.now(),
): number | null {
  if (Number.isNaN(Number(now))) throw new RangeError('`retryAfterOf`: now is no date');
  // Of a response that nobody has read, the headers may tell.
  return retryAfter(
    completeAnswer(isUnread(answer) ? { status: answer.status, headers: answer.headers } : answer),
    now,
  );
}

const isNonNullObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function isUnread(given: object): given is FetchResponse {
  return typeof (given as Partial<FetchResponse>).text === 'function';
}

/** An answer as a run records it. One that is so already stays the same object, by which readings are remembered. */
function completeAnswer(given: Answer | ReadAnswer): Answer {
  if (!('status' in given)) throw new TypeError('an answer is { status, headers, body }, not a completion alone');
  const isWhole = 'failure' in given && Array.isArray(given.body) && isNonNullObject(given.headers);
  return isWhole ? given : arrived(given).answer;
}
