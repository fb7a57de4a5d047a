import { isLoadStatus } from '../../chat/errors/load-status.js';
import { hasReadableChoice } from '../../chat/read-answer.js';
import type { Exchange } from '../../chat/exchange.js';
import type { Json } from '../../json/json.js';
import { judge, serverErrorAsFailure, type Judging } from '../../judge/judge.js';
import type { Outcome } from '../../judge/outcome.js';
import { isFaultReason, isFinalError } from '../../judge/reasons.js';
import { controlBody } from '../../plan/request/request-body.js';
import type { Cell } from '../../plan/ticket.js';
import type { Answered, Sending } from '../course.js';
import { isCalm, mayBeTheService } from './service-at-fault.js';

/** One request and what is needed to judge its answer. */
export interface JudgedRequest {
  readonly step: string;
  readonly model: Cell['model'];
  readonly body: Json;
  readonly judging: Judging;
}

/** This many 5xx in a row are no coincidence if a control succeeds. */
const repeated = 2;

/** A 5xx that may still be the service's after so many repetitions is a fault. Enough where 4 in 10 fail at random. */
const mostRepetitions = 12;

/** Milliseconds. A control that was sent later, as after an interruption, shows nothing about the 5xx. */
const tooLate = 5 * 60_000;

/**
 * Asks until an answer can be judged or the retries are used up. A request is sent again after a fault, never after a
 * wrong answer. A control right after a repeated 5xx shows whether the service answers at all. If it does, the request is
 * sent once more: another 5xx is its own, unless so many other requests failed without a cause of their own that chance
 * would explain all of them.
 * @param retries of faults; a first 5xx is repeated even at 0, because its cause would stay unknown otherwise
 */
export function* askWithRetries(request: JudgedRequest, retries: number): Sending<Outcome> {
  const { step, body, judging } = request;
  const { expectation } = judging;
  /** In a row: no answer and no failed control between them. */
  let serverErrors = 0;
  /** Requests in a row that the model did not answer. */
  let failures = 0;
  const controls = { sent: 0, good: 0, bad: 0 };
  /** The last control shows that the service answers, so the next 5xx counts. */
  let isUp = false;
  for (let attempt = 0; ; attempt++) {
    const exchange = yield { purpose: 'probe', step, attempt, body, judging };
    const outcome = outcomeIn(exchange, judging);
    if (!outcome.fault) return outcome;
    failures = isUnanswered(outcome) ? failures + 1 : 0;
    if (isServerError(outcome)) serverErrors += 1;
    // No answer says nothing about the 5xx before it; earlier versions began anew.
    else if (failures === 0 || exchange.around === undefined) serverErrors = 0;
    isUp &&= isServerError(outcome);
    if (isUp && !mayBeTheService(exchange, serverErrors)) return serverErrorAsFailure(outcome, expectation);
    const isLast = isFinal(outcome, exchange) || attempt >= repetitions(retries, serverErrors, controls);
    if (isLast && controls.good > 0) return outcome;
    // Earlier versions did not ask whether the service is down.
    const mayBeOutage = failures === repeated && !isLast && exchange.around !== undefined;
    if (serverErrors >= repeated || mayBeOutage) {
      const control = yield { purpose: 'control', step, attempt: controls.sent, body: controlBody(request.model) };
      controls.sent += 1;
      isUp = hasReadableChoice(control.answer);
      // Earlier versions asked no more after the control.
      if (control.around === undefined) return isUp ? serverErrorAsFailure(outcome, expectation) : outcome;
      if (!isUp) {
        controls.bad += 1;
        serverErrors = failures = 0;
        if (attempt >= repetitions(retries, 0, controls)) return outcome;
        continue;
      }
      if (serverErrors >= repeated) {
        controls.good += 1;
        isUp = waitedFor(exchange, control) <= tooLate;
        if (!isUp) serverErrors = 1;
        else if (isCalm(control)) return serverErrorAsFailure(outcome, expectation);
        continue;
      }
      isUp = false;
    }
    if (isLast) return outcome;
  }
}

/** Whoever sends may judge an answer elsewhere, where that takes long. */
export function outcomeIn(answered: Answered, { expectation, values }: Judging): Outcome {
  return answered.outcome ?? judge(answered, expectation, values);
}

/**
 * How often a fault may be repeated: until the cause is found where a control was answered, and anew, within limits,
 * after one that was not.
 */
function repetitions(
  retries: number,
  serverErrors: number,
  { good, bad }: { readonly good: number; readonly bad: number },
): number {
  const usual = serverErrors > 0 ? Math.max(retries, repeated - 1) : retries;
  return Math.max(usual + repeated * Math.min(bad, retries), good > 0 ? mostRepetitions : 0);
}

/** Milliseconds between the end of an exchange and the start of the next. */
function waitedFor({ timing }: Exchange, next: Exchange): number {
  return Date.parse(next.timing.started_at) - Date.parse(timing.started_at) - timing.total_ms;
}

/** A 5xx that does not already name the cause (the key, the bill, the load) by its status or its reason. */
function isServerError({ class: kind, reason, status }: Outcome): boolean {
  if (kind !== 'http_error' || status === null || status < 500) return false;
  return !isLoadStatus(status) && !isFaultReason(reason);
}

/** Nothing of the model came back, and not because the service has too much to do. */
function isUnanswered({ class: kind, status }: Outcome): boolean {
  if (kind === 'transport') return true;
  return kind === 'http_error' && status !== null && status >= 500 && !isLoadStatus(status);
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
