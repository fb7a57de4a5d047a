import { isSuccess } from '../../chat/exchange.js';
import { isDone } from '../../chat/read-answer.js';
import { readingOf, type RungCheck } from '../context.js';

/** A whole answer must arrive. */
export const transport: RungCheck = (context) => {
  const { status, failure } = context.exchange.answer;
  if (failure !== null && !(isSuccess(status) && isDone(readingOf(context)))) {
    return { class: 'transport', fault: true, rung: null, detail: failure.message };
  }
  if (status === null) return { class: 'transport', fault: true, rung: null, detail: 'no status line came' };
  return null;
};
