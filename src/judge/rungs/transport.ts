import { isSuccess } from '../../chat/exchange.js';
import type { Reading } from '../../chat/reply.js';
import { readingOf, type RungCheck } from '../context.js';

/** A whole answer must arrive. A connection that breaks after [DONE] loses nothing. */
export const transport: RungCheck = (context) => {
  const { status, failure } = context.exchange.answer;
  if (failure !== null && !(isSuccess(status) && endedBefore(readingOf(context)))) {
    return { class: 'transport', fault: true, rung: null, detail: failure.message };
  }
  if (status === null) return { class: 'transport', fault: true, rung: null, detail: 'no status line came' };
  return null;
};

function endedBefore(reading: Reading): boolean {
  if (reading.kind !== 'reply') return false;
  return reading.reply.ending === 'finish_reason_and_done' || reading.reply.ending === 'done_only';
}
