import { type Answer, isSuccess } from '../../chat/exchange.js';
import { isLoadStatus } from '../../chat/errors/load-status.js';
import { readAnswer } from '../../chat/read-answer.js';
import type { Json } from '../../json/json.js';
import { classify } from './classify.js';

/** What an answer says about further requests, whatever it says about the model. */
export type AnswerSign =
  /** The service answered this request, well or badly. */
  | { readonly kind: 'answered' }
  /** It has too much to do. */
  | { readonly kind: 'load' }
  /** It will not work for free. */
  | { readonly kind: 'unpaid'; readonly detail: string }
  /** Nothing: no answer came, or an error that says nothing about load. */
  | { readonly kind: 'none' };

export function signOf(request: Json, answer: Answer): AnswerSign {
  try {
    return read(request, answer);
  } catch {
    // That chatspec cannot read an error says nothing about load; its judgement says what happened.
    return { kind: 'none' };
  }
}

function read(request: Json, answer: Answer): AnswerSign {
  const { status, headers, body } = answer;
  if (status === null || answer.failure !== null) return { kind: 'none' };
  const reading = isSuccess(status) ? readAnswer(answer) : null;
  if (reading !== null && reading.kind !== 'error') return { kind: 'answered' };
  const error = reading?.kind === 'error' ? reading.error : body.join('');
  const { reason, detail } = classify({ status: reading === null ? status : null, headers, body: error, request });
  if (reason === 'quota') return { kind: 'unpaid', detail };
  if (isLoadStatus(status) || reason === 'rate_limited') return { kind: 'load' };
  if (reason === 'overloaded' && (status >= 500 || reading !== null)) return { kind: 'load' };
  return status >= 500 || reason === 'auth' || reason === 'gateway' ? { kind: 'none' } : { kind: 'answered' };
}
