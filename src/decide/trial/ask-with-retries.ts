import { isLoadStatus } from '../../chat/errors/load-status.js';
import { hasReadableChoice } from '../../chat/read-answer.js';
import type { Exchange } from '../../chat/exchange.js';
import type { Json } from '../../json/json.js';
import type { Expectation } from '../../judge/expectation.js';
import { judge, serverErrorAsFailure, type JudgeValues } from '../../judge/judge.js';
import type { Outcome } from '../../judge/outcome.js';
import { isFaultReason, isFinalError } from '../../judge/reasons.js';
import { controlBody } from '../../plan/request/request-body.js';
import type { Cell } from '../../plan/ticket.js';
import type { Sending } from '../course.js';

/** One request and what is needed to judge its answer. */
export interface JudgedRequest {
  readonly step: string;
  readonly model: Cell['model'];
  readonly body: Json;
  readonly expectation: Expectation;
  readonly values: JudgeValues;
}

/** This many 5xx in a row are no coincidence if a control succeeds. */
const repeated = 2;

/**
 * Asks until an answer can be judged or the retries are used up. A request is sent again after a fault, never after a
 * wrong answer. A control right after a repeated 5xx shows its cause: if it succeeds, the request causes the 5xx.
 * @param retries of faults; a first 5xx is repeated even at 0, because its cause would stay unknown otherwise
 */
export function* askWithRetries(request: JudgedRequest, retries: number): Sending<Outcome> {
  const { step, body, expectation, values } = request;
  let serverErrors = 0;
  for (let attempt = 0; ; attempt++) {
    const exchange = yield { purpose: 'probe', step, attempt, body };
    const outcome = judge(exchange, expectation, values);
    if (!outcome.fault) return outcome;
    serverErrors = isServerError(outcome) ? serverErrors + 1 : 0;
    if (serverErrors >= repeated) {
      const control = yield { purpose: 'control', step, attempt: 0, body: controlBody(request.model) };
      return hasReadableChoice(control.answer) ? serverErrorAsFailure(outcome, expectation) : outcome;
    }
    const more = serverErrors > 0 ? Math.max(retries, repeated - 1) : retries;
    if (attempt >= more || isFinal(outcome, exchange)) return outcome;
  }
}

/** A 5xx that does not already name the cause (the key, the bill, the load) by its status or its reason. */
function isServerError({ class: kind, reason, status }: Outcome): boolean {
  if (kind !== 'http_error' || status === null || status < 500) return false;
  return !isLoadStatus(status) && !isFaultReason(reason);
}

/**
 * Faults that a retry cannot fix: a wrong key, an unpaid bill, a firewall or a limit on the size of requests in front of
 * the service, or an answer that is too large. An outcome without a class
 * means that chatspec cannot judge the answer, so asking the service again would not help either.
 */
function isFinal({ class: kind, reason, status }: Outcome, { answer }: Exchange): boolean {
  if (kind === null || isFinalError({ reason, status })) return true;
  return ['interrupted', 'redirect', 'too_large'].includes(answer.failure?.kind ?? '');
}
