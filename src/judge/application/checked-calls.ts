import type { Answer } from '../../chat/exchange.js';
import { retryAfterOf as retryAfter } from '../../chat/errors/retry-after.js';
import { readAnswer as read } from '../../chat/read-answer.js';
import { taking } from '../../options/first-argument.js';
import { serverErrorAsFailure as asFailure } from '../expected-failure.js';
import { classify as classified } from '../refusals/classify.js';

/** What a run calls for every answer, and a program calls by hand. */

const hasHeaders = (value: object): boolean => isObject((value as { headers?: unknown }).headers);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isAnswer = (value: object): boolean => hasHeaders(value) && Array.isArray((value as { body?: unknown }).body);
const answer = 'an answer, { status, headers, body: [text], failure }';

export const readAnswer = taking('readAnswer', answer, isAnswer, read);

export const classify = taking('classify', 'a refusal, { status, headers, body, request }', hasHeaders, classified);

export const serverErrorAsFailure = taking(
  'serverErrorAsFailure',
  'an outcome of `judge`',
  (value) => 'class' in value && 'status' in value,
  asFailure,
);

const waitOf = taking('retryAfterOf', answer, isAnswer, retryAfter);

/**
 * How long an answer asks to wait, in seconds, at most an hour; null where it does not say.
 * @param now by default the present
 */
export function retryAfterOf(answer: Answer, now: number | Date = Date.now()): number | null {
  if (Number.isNaN(Number(now))) throw new RangeError('`retryAfterOf`: now is no date');
  return waitOf(answer, now);
}
