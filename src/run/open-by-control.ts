import { isSuccess, type Exchange } from '../chat/exchange.js';
import { bodyForm } from '../chat/parse-json.js';
import { hasReadableChoice } from '../chat/read-answer.js';
import { isFinalReason, needsControl, type Outcome } from '../judge/outcome.js';
import type { ControlOptions } from './ask-until-answered.js';
import { nextControl } from './control-request.js';
import type { NotRequested, Requester, RequestResult } from './requester.js';
import type { ModelState } from './target-state.js';
import { createTrialHistory } from './trial-history.js';

/** The result of the plain request that opens a model. */
export type Opening =
  | { readonly kind: 'reachable' | 'unreachable'; readonly outcome: Outcome; readonly exchanges: readonly string[] }
  | NotRequested;

/**
 * Opens a model with a control; faults are repeated, as in any trial, and once more when all other models are done.
 * Every answer with a readable choice succeeds. An error that every request would meet makes the model unreachable, and
 * so does a 200 that is no completion; any other answer concerns this request alone.
 * @param askAgain where recorded controls failed, as the recorded run had ended
 */
export async function openByControl(
  state: ModelState,
  request: Requester,
  { controlBody, judgeControl, leaveAlone }: ControlOptions,
  askAgain: boolean,
): Promise<Opening> {
  const { retries } = state.target.config.limits;
  const trial = createTrialHistory('opening');
  const exchanges: string[] = [];
  const look = ({ exchange }: Exclude<RequestResult, NotRequested>, attempts: number): OpeningSoFar => {
    const outcome = judgeControl(exchange);
    if (state.target.config.listed && isNoChatModel(exchange, outcome)) return { kind: 'unreachable', outcome };
    if (concernsThisAlone(exchange, outcome)) return { kind: 'reachable', outcome };
    return { kind: attempts < mostAttempts(exchange, outcome, retries) ? 'open' : 'unreachable', outcome };
  };
  let shown: OpeningSoFar | null = null;
  let attempts = 0;
  for (;;) {
    const result = await request.lookUp(state, nextControl(state, controlBody), trial);
    if (result === null) break;
    // Further controls were asked while the cells were.
    if (shown?.kind === 'reachable') continue;
    exchanges.push(result.id);
    shown = look(result, (attempts += 1));
  }
  state.controls.takeBack();
  for (;;) {
    if (shown?.kind === 'unreachable' && askAgain) {
      attempts = 0;
    } else if (shown !== null && shown.kind !== 'open') {
      return { kind: shown.kind, outcome: shown.outcome, exchanges };
    }
    if (shown !== null && attempts > retries) await leaveAlone(state, shown.outcome);
    const result = await request.ask(state, nextControl(state, controlBody), trial);
    if (result.kind === 'missing') {
      return shown === null ? result : { kind: 'unreachable', outcome: shown.outcome, exchanges };
    }
    exchanges.push(result.id);
    shown = look(result, (attempts += 1));
    askAgain = false;
  }
}

interface OpeningSoFar {
  readonly kind: 'reachable' | 'unreachable' | 'open';
  readonly outcome: Outcome;
}

/** The last of them is made when all other models are done. */
function mostAttempts({ answer: { status } }: Exchange, outcome: Outcome, retries: number): number {
  if (isFinalReason(outcome.reason)) return 1;
  if (outcome.fault || status === null || status >= 500) return 2 + retries;
  return isSuccess(status) ? 1 + retries : 1;
}

/** A service lists models for other purposes, too: they refuse the plainest request, and name no part of it. */
function isNoChatModel({ answer: { status } }: Exchange, outcome: Outcome): boolean {
  return status !== null && status >= 400 && status < 500 && needsControl(outcome);
}

/** Whether other requests may be answered otherwise: it was served, or refused for what it asked beside the model. */
function concernsThisAlone({ answer }: Exchange, outcome: Outcome): boolean {
  if (hasReadableChoice(answer)) return true;
  if (isSuccess(answer.status) || meetsEveryRequest(answer.status)) return false;
  if (outcome.fault && !needsControl(outcome)) return false;
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
