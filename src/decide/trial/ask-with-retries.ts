import { isLoadStatus, type Exchange } from '../../chat/exchange.js';
import { hasReadableChoice } from '../../chat/read-answer.js';
import type { Json } from '../../json/json.js';
import { serverErrorAsFailure } from '../../judge/climb.js';
import type { Judging } from '../../judge/context.js';
import { judgedAs } from '../../judge/judge.js';
import type { Outcome } from '../../judge/outcome.js';
import { isFinalError } from '../../judge/outcome-classes.js';
import { controlBody } from '../../plan/request/request-body.js';
import type { Cell } from '../../plan/ticket.js';
import type { Sending } from '../course.js';

/** One request and what is needed to judge its answer. */
export interface JudgedRequest {
  readonly step: string;
  readonly model: Cell['model'];
  readonly body: Json;
  readonly judging: Judging;
}

/** After so many 5xx in a row, a control shows whether the service answers at all. */
const repeated = 2;

/** A 5xx that may still be the service's after so many repetitions is a fault. */
const mostRepetitions = 12;

/** Where one request in thirty fails, chance gives a row of so many 5xx in one of 800,000 trials. */
const tellingRow = 4;

/**
 * Asks until an answer can be judged or the retries are used up. A request is sent again after a fault, never after a
 * wrong answer. A control right after a repeated 5xx shows whether the service answers at all. If it does, the request is
 * sent again, until chance would hardly explain the row of 5xx: they are its own then.
 * @param retries of faults; a first 5xx is repeated even at 0, because its cause would stay unknown otherwise
 */
export function* askWithRetries(request: JudgedRequest, retries: number): Sending<Outcome> {
  const { step, body, judging } = request;
  /** In a row: neither an answer nor a failed control between them. */
  let serverErrors = 0;
  const controls = { good: 0, bad: 0 };
  /** The control after the last 5xx was answered. */
  let isUp = false;
  for (let attempt = 0; ; attempt++) {
    const exchange = yield { purpose: 'probe', step, attempt, body };
    const outcome = judgedAs(exchange, judging);
    if (!outcome.fault) return outcome;
    if (isServerError(outcome)) serverErrors += 1;
    // No answer says nothing about the 5xx before it.
    else if (outcome.class !== 'transport') serverErrors = 0;
    isUp &&= isServerError(outcome);
    if (isUp && serverErrors >= tellingRow) return serverErrorAsFailure(outcome, judging.expectation);
    const isLast = isFinal(outcome, exchange) || attempt >= repetitions(retries, serverErrors, controls);
    if (isUp || serverErrors < repeated || !isServerError(outcome)) {
      if (isLast) return outcome;
      continue;
    }
    const sent = controls.good + controls.bad;
    const control = yield { purpose: 'control', step, attempt: sent, body: controlBody(request.model) };
    isUp = hasReadableChoice(control.answer);
    controls[isUp ? 'good' : 'bad'] += 1;
    if (isUp) continue;
    serverErrors = 0;
    if (attempt >= repetitions(retries, 0, controls)) return outcome;
  }
}

/** Until the cause is found where a control was answered, and anew, within limits, after one that was not. */
function repetitions(
  retries: number,
  serverErrors: number,
  { good, bad }: { readonly good: number; readonly bad: number },
): number {
  if (good > 0) return mostRepetitions;
  const usual = serverErrors > 0 ? Math.max(retries, repeated - 1) : retries;
  return usual + repeated * Math.min(bad, retries);
}

/** A 5xx, whatever its body, whose status does not say that the service has too much to do. */
function isServerError({ class: kind, status }: Outcome): boolean {
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
