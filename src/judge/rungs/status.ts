import { isSuccess } from '../../chat/exchange.js';
import { classify } from '../refusals/classify.js';
import type { RungCheck } from '../context.js';
import { isFaultReason } from '../reasons.js';

/** Any status other than a 2xx is an error, whatever its body contains. */
export const status: RungCheck = ({ exchange, request }) => {
  const { status: code, headers, body } = exchange.answer;
  if (code === null || isSuccess(code)) return null;
  const { reason, detail } = classify({ status: code, headers, body: body.join(''), request });
  return { class: 'http_error', reason, detail, rung: null, fault: code >= 500 || isFaultReason(reason) };
};
