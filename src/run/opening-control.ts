import { bodyForm } from '../chat/body-form.js';
import { type Exchange, isSuccess } from '../chat/exchange.js';
import { hasReadableChoice } from '../chat/read-answer.js';
import type { ModelConfig } from '../config/config.js';
import type { Json } from '../json/json.js';
import type { Outcome } from '../judge/outcome.js';
import { isFinalReason } from '../judge/reasons.js';
import { openingStep, takeRecordedQuestions } from './questions.js';
import type { NotRequested, Requester, RequestResult } from './request-result.js';
import { newTrial } from './retry-policy.js';
import type { ModelState } from './target-state.js';

/** What the plain request that opens a model showed. */
export type Opening =
  | { readonly kind: 'reachable' | 'unreachable'; readonly outcome: Outcome; readonly exchanges: readonly string[] }
  | NotRequested;

export interface ControlOptions {
  readonly request: Requester;
  readonly controlBody: (model: ModelConfig) => Json;
  readonly judgeControl: (exchange: Exchange) => Outcome;
  /** Leaves the model alone until all others are done. */
  readonly leaveAlone: (state: ModelState, outcome: Outcome) => Promise<void>;
  /** A recorded control that failed is sent again: the recorded run had ended. */
  readonly askAgain: boolean;
}

/** Times that a control is sent again after a 200 that is no completion, which is seldom an accident. */
const retriesOfNonsense = 2;

/**
 * Sends a model's opening control; faults are retried, as in any trial, and once more when all other models are done.
 * Every answer with a readable choice succeeds. An error that every request would meet makes the model unreachable, and so
 * does a 200 that is no completion; any other answer concerns this request alone.
 */
export async function openingControl(state: ModelState, options: ControlOptions): Promise<Opening> {
  const { request, controlBody, askAgain } = options;
  await takeRecordedQuestions(state, request, controlBody);
  const { retries } = state.target.config.limits;
  const body = controlBody(state.model);
  const exchanges: string[] = [];
  let trial = newTrial();
  let failed: Outcome | null = null;
  let isOver = false;
  /** Attempts before this one were made in an earlier session, which had given up. */
  let first = 0;
  for (let attempt = 0; ; attempt += 1) {
    const send = { purpose: 'control', step: openingStep, attempt, body } as const;
    const control = { model: state.model.key, cell: null, ask: null, send };
    let result: RequestResult | null = await request.lookUp(state, control, trial);
    if (result === null) {
      if (failed !== null && isOver && !askAgain) return { kind: 'unreachable', outcome: failed, exchanges };
      if (isOver) {
        first = attempt;
        trial = newTrial();
      }
      if (failed !== null && attempt - first > retries) await options.leaveAlone(state, failed);
      result = await request.ask(state, control, trial);
    }
    if (result.kind === 'missing') {
      return failed === null ? result : { kind: 'unreachable', outcome: failed, exchanges };
    }
    exchanges.push(result.id);
    const outcome = options.judgeControl(result.exchange);
    if (concernsThisAlone(result.exchange, outcome)) return { kind: 'reachable', outcome, exchanges };
    failed = outcome;
    isOver = attempt - first >= mostAttempts(result.exchange, outcome, retries) - 1;
    if (isOver && result.live) return { kind: 'unreachable', outcome, exchanges };
  }
}

function mostAttempts({ answer: { status, failure } }: Exchange, outcome: Outcome, retries: number): number {
  if (isFinalReason(outcome.reason)) return 1;
  if (isSuccess(status) && !outcome.fault) return 1 + Math.min(retries, retriesOfNonsense);
  const mayEnd = failure !== null || status === null || status === 408 || status === 429 || status >= 500;
  return mayEnd || isSuccess(status) ? 2 + retries : 1;
}

/** Whether other requests may be answered otherwise: it was served, or refused for what it asked beside the model. */
function concernsThisAlone({ answer }: Exchange, outcome: Outcome): boolean {
  if (hasReadableChoice(answer)) return true;
  if (outcome.fault || isSuccess(answer.status) || meetsEveryRequest(answer.status)) return false;
  if (outcome.reason === 'model_not_found') return false;
  return bodyForm(answer.body.join('')).kind !== 'html';
}

/**
 * No answer, a redirect, 401 to 405, 407, 408, 410, 421, 426, 429, 5xx. (405: nothing takes a POST there; 421 and 426:
 * the connection goes to the wrong server or speaks the wrong protocol.)
 */
function meetsEveryRequest(status: number | null): boolean {
  if (status === null || status >= 500 || (status >= 300 && status < 400)) return true;
  return (status >= 401 && status <= 405) || [407, 408, 410, 421, 426, 429].includes(status);
}
