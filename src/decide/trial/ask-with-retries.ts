import { hasReadableChoice } from '../../chat/read-answer.js';
import type { Exchange } from '../../chat/exchange.js';
import type { Json } from '../../json/json.js';
import type { Expectation } from '../../judge/expectation.js';
import { asFinding, judge, type JudgeValues } from '../../judge/judge.js';
import type { Outcome } from '../../judge/outcome.js';
import { isFaultReason, isFinalReason } from '../../judge/refusals/faults.js';
import { controlBody } from '../../plan/request/request-body.js';
import type { Cell } from '../../plan/ticket.js';
import type { Sending } from '../course.js';

/** One request with what its answer is held against. */
export interface Judging {
  readonly step: string;
  readonly model: Cell['model'];
  readonly body: Json;
  readonly expectation: Expectation;
  readonly values: JudgeValues;
}

/** A 5xx in a row that is no accident any more, if a control gets through. */
const repeated = 2;

/**
 * Asks until an answer can be judged, or the retries are used up: faults are sent again, wrong answers never. A 5xx that
 * repeats is told apart by a control sent right after it: if that succeeds, the 5xx belongs to the request.
 * @param retries of faults; a first 5xx is repeated even where there are none, for else it could never be told
 */
export function* askPatiently(judging: Judging, retries: number): Sending<Outcome> {
  const { step, body, expectation, values } = judging;
  let serverErrors = 0;
  for (let attempt = 0; ; attempt++) {
    const exchange = yield { purpose: 'probe', step, attempt, body };
    const outcome = judge(exchange, expectation, values);
    if (!outcome.fault) return outcome;
    serverErrors = isServerError(outcome) ? serverErrors + 1 : 0;
    if (serverErrors >= repeated) {
      const control = yield { purpose: 'control', step, attempt: 0, body: controlBody(judging.model) };
      return hasReadableChoice(control.answer) ? asFinding(outcome, expectation) : outcome;
    }
    const more = serverErrors > 0 ? Math.max(retries, repeated - 1) : retries;
    if (attempt >= more || isFinal(outcome, exchange)) return outcome;
  }
}

/** A 5xx whose reason does not name the cause already (the key, the bill, the load). */
function isServerError({ class: kind, reason, status }: Outcome): boolean {
  return kind === 'http_error' && status !== null && status >= 500 && !isFaultReason(reason);
}

/**
 * Faults that would come again: a key or a bill is not mended by asking, nor is an answer that is too large. What no
 * class names is our own inability to judge, and no reason to ask the service once more.
 */
function isFinal({ class: kind, reason }: Outcome, { answer }: Exchange): boolean {
  if (kind === null || isFinalReason(reason)) return true;
  return ['interrupted', 'redirect', 'too_large'].includes(answer.failure?.kind ?? '');
}
