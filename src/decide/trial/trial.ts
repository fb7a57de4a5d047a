import type { Exchange } from '../../chat/exchange.js';
import { hasReadableChoice } from '../../chat/read-answer.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { serverErrorAsFailure } from '../../judge/climb.js';
import { judgedAs } from '../../judge/judge.js';
import type { Judging } from '../../judge/context.js';
import { isFinalError, needsControl, ownFailure, type Outcome } from '../../judge/outcome.js';
import { answerSignOf } from '../../judge/refusals/classify.js';
import type { WireSighting } from '../../judge/wire/wire-form.js';
import {
  controlBody,
  createCellRequests,
  type StepRequest,
  toolResultOf,
  variablesOf,
} from '../../plan/request/request-body.js';
import { TemplateError } from '../../plan/request/template.js';
import type { Ask, PlannedCell, Cell } from '../../plan/plan.js';
import type { RetrySpec } from '../../suite/probe.js';
import type { Sending, Trial } from '../course.js';
import { comparisonOf } from '../courses/enforcement/reply.js';

/** Thrown into a trial whose next request is no longer sent. What it has judged so far still counts. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

interface TrialOptions {
  /** How often a fault is retried, as the limits of the planned cell's target say. */
  readonly retries: (planned: PlannedCell) => number;
}

/** One trial of a single request or of a flow, whose first failing step decides. */
export function makeTrial(options: TrialOptions): Trial {
  return (planned) => {
    const single = planned.cell.probe.enforce !== null || planned.cell.probe.steps.length < 2;
    const requestFor = createCellRequests(planned);
    return function* (ask) {
      const outcome = yield* runSteps(planned, ask, requestFor, options.retries(planned));
      return single ? { ...outcome, step: null } : outcome;
    };
  };
}

function* runSteps(
  planned: PlannedCell,
  ask: Ask,
  requestFor: ReturnType<typeof createCellRequests>,
  retries: number,
): Sending<Outcome> {
  const { probe } = planned.cell;
  const results: Record<string, Json> = {};
  const quirks = new Set<string>();
  const wire: WireSighting[] = [];
  let last: Outcome | null = null;
  for (const step of probe.enforce === null ? probe.steps : [{ kind: 'ask' as const, id: firstId(planned) }]) {
    const vars = variablesOf(planned, ask);
    const earlier = { ...results };
    if (step.kind === 'run') {
      const result = rendered(() => toolResultOf(planned, step.id, { ...vars, steps: earlier }));
      if (result instanceof TemplateError) return ownFault(step.id, result);
      results[step.id] = { result };
      continue;
    }
    const request = rendered(() => {
      const asked = requestFor(ask, step.id, { ...vars, steps: earlier });
      return judgedRequest(planned, step.id, asked, { vars, steps: earlier });
    });
    if (request instanceof TemplateError) return ownFault(step.id, request);
    const outcome = yield* askWithRetries(request, retries);
    for (const quirk of outcome.quirks) quirks.add(quirk);
    if (!outcome.fault) for (const sighting of outcome.wire) wire.push({ ...sighting, step: step.id });
    last = { ...outcome, quirks: [...quirks], wire, step: step.id };
    if (!outcome.passed) return { ...last, recovered: yield* clientRetry(probe.retry, outcome, request) };
    results[step.id] = stepResult(outcome);
  }
  return last ?? ownFault('request', new Error('the probe asks nothing'));
}

function firstId({ cell }: PlannedCell): string {
  return cell.probe.steps.find(({ kind }) => kind === 'ask')?.id ?? 'request';
}

function judgedRequest(
  { cell }: PlannedCell,
  step: string,
  { body, expectation }: StepRequest,
  { vars, steps }: { readonly vars: JsonObject; readonly steps: JsonObject },
): JudgedRequest {
  const { enforce } = cell.probe;
  const plain = { expectation, values: { vars, request: body, steps } };
  const judging = enforce === null ? plain : { ...plain, comparison: comparisonOf(enforce) };
  return { step, model: cell.model, body, judging };
}

/** A request that cannot be made as the suite meant is returned as a fault, so that the other trials are not lost. */
function rendered<Result>(render: () => Result): Result | TemplateError {
  try {
    return render();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** The results of a passed step for later ones; `arguments` only when a call came. */
function stepResult({ reply, value }: Outcome): JsonObject {
  const called = (reply?.tool_calls.length ?? 0) > 0;
  return {
    value: value ?? null,
    ...(called ? { arguments: value ?? null } : {}),
    content: reply?.content ?? null,
    reply: reply as unknown as Json,
  };
}

/**
 * The retry that the specification advises a client to make: the same input at a lower temperature, at most `max`
 * times. It is measured apart from the trial, whose failure it never undoes.
 * @returns whether it helped; null when none was due, none was answered, or one was not sent any more
 */
function* clientRetry(
  retry: RetrySpec | null,
  failed: Outcome,
  { step, body, judging }: JudgedRequest,
): Sending<boolean | null> {
  if (retry === null || failed.fault || failed.class === null || !retry.on.includes(failed.class)) return null;
  const calmer = isObject(body) ? { ...body, temperature: retry.temperature } : body;
  let recovered: boolean | null = null;
  try {
    for (let attempt = 0; attempt < retry.max; attempt++) {
      const outcome = judgedAs(yield { purpose: 'retry', step, attempt, body: calmer }, judging);
      if (outcome.fault) continue;
      if (outcome.passed) return true;
      recovered = false;
    }
  } catch (error) {
    // If the budget ends here, the failed trial must still count, or the cell would look better than it is.
    if (error instanceof NotSent) return null;
    throw error;
  }
  return recovered;
}

/** The outcome of a trial that chatspec itself could not ask, which says nothing about the model. */
function ownFault(step: string, error: Error): Outcome {
  return ownFailure({ detail: `step "${step}" could not be asked: ${error.message}`, status: null, step });
}

/** One request and what is needed to judge its answer. */
interface JudgedRequest {
  readonly step: string;
  readonly model: Cell['model'];
  readonly body: Json;
  readonly judging: Judging;
}

/** After so many errors in a row that may be the request's own, a control shows whether the service answers at all. */
const errorsBeforeControl = 2;

/** An error that may still be the service's after so many repetitions is a fault. */
const mostRepetitions = 12;

/** Where one request in thirty fails, chance gives a row of so many errors in one of 800,000 trials. */
const decisiveRow = 4;

/**
 * Asks until an answer can be judged or the retries are used up. A request is sent again after a fault, never after a
 * wrong answer. A control right after a repeated error that only it can explain shows whether the service answers at
 * all. If it does, the request is sent again, until chance would hardly explain the row: the errors are its own then.
 * @param retries of faults; a first such error is repeated even at 0, because its cause would stay unknown otherwise
 */
function* askWithRetries(request: JudgedRequest, retries: number): Sending<Outcome> {
  const { step, body, judging } = request;
  /** In a row: neither an answer nor a failed control between them. */
  let unexplained = 0;
  const controls = { sent: 0, good: 0, bad: 0 };
  /** The control after the last of them was answered. */
  let isUp = false;
  for (let attempt = 0; ; attempt++) {
    const exchange = yield { purpose: 'probe', step, attempt, body };
    const outcome = judgedAs(exchange, judging);
    if (!outcome.fault) return outcome;
    const isUnexplained = needsControl(outcome);
    if (isUnexplained) {
      unexplained += 1;
    }
    // Neither no answer nor load says anything about the errors before it.
    else if (outcome.class !== 'transport' && !isLoad(exchange)) {
      unexplained = 0;
    }
    isUp &&= isUnexplained;
    if (isUp && unexplained >= decisiveRow) return serverErrorAsFailure(outcome, judging.expectation);
    const isLast = isFinal(outcome, exchange) || attempt >= repetitions(retries, unexplained, controls);
    if (isUp || unexplained < errorsBeforeControl || !isUnexplained) {
      if (isLast) return outcome;
      continue;
    }
    isUp = hasReadableChoice((yield* askControl(request, retries, controls)).answer);
    controls[isUp ? 'good' : 'bad'] += 1;
    if (isUp) continue;
    unexplained = 0;
    if (attempt >= repetitions(retries, 0, controls)) return outcome;
  }
}

/**
 * A control that meets a limit or load shows nothing, and is sent again when the service says: what is judged may have
 * caused a gateway's pause itself. At last it is sent when the model's other trials are done.
 */
function* askControl({ step, model }: JudgedRequest, retries: number, controls: { sent: number }): Sending<Exchange> {
  for (let waits = 0; ; waits += 1) {
    const send = { purpose: 'control', step, attempt: controls.sent, body: controlBody(model) } as const;
    controls.sent += 1;
    const control = yield waits < retries ? send : { ...send, afterOthers: true };
    if (waits >= retries || !isLoad(control)) return control;
  }
}

function isLoad({ request, answer }: Exchange): boolean {
  return answerSignOf(request.body, answer).kind === 'load';
}

/** Until the cause is found where a control was answered, and anew, within limits, after one that was not. */
function repetitions(
  retries: number,
  unexplained: number,
  { good, bad }: { readonly good: number; readonly bad: number },
): number {
  if (good > 0) return mostRepetitions;
  const usual = unexplained > 0 ? Math.max(retries, errorsBeforeControl - 1) : retries;
  return usual + errorsBeforeControl * Math.min(bad, retries);
}

/**
 * Faults that a retry cannot fix: a wrong key, an unpaid bill, a firewall or a limit on the size of requests in front
 * of the service, or an answer that is too large. An outcome without a class means that chatspec cannot judge the
 * answer, so asking the service again would not help either.
 */
function isFinal({ class: kind, reason, status }: Outcome, { answer }: Exchange): boolean {
  const isRedirect = status !== null && status >= 300 && status < 400;
  if (kind === null || isRedirect || isFinalError({ reason, status })) return true;
  return ['interrupted', 'redirect', 'too_large'].includes(answer.failure?.kind ?? '');
}
