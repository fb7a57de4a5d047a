import type { Answer } from '../../chat/exchange.js';
import { readExchangeAnswer } from '../../chat/read-answer.js';
import { type Json, writtenJson } from '../../json/json.js';
import { errorOfAnswer } from './classify.js';

/**
 * The name of a refusal, equal where two requests are refused alike: its status, reason and words without
 * what differs from one request to the next (an id, a time, a count).
 * @returns "completed" for a completion, however bad; null where no answer came
 */
export function refusalName(request: Json, answer: Answer): string | null {
  const { status, failure } = answer;
  if (status === null || (failure !== null && failure.kind !== 'bad_encoding')) return null;
  const error = errorOfAnswer(request, answer);
  if (error !== null) return writtenJson([status, error.reason, withoutNumbers(error.detail)]);
  return readExchangeAnswer(answer).kind === 'reply' ? 'completed' : 'unreadable';
}

/** Words that hold a digit name a request, a moment or an amount. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(/[\w.:+-]*\d[\w.:+-]*/g, '#').slice(0, 200);
}
