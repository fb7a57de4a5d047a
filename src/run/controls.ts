import { bodyForm } from '../chat/parse-json.js';
import { type Exchange, isSuccess } from '../chat/exchange.js';
import { hasReadableChoice } from '../chat/read-answer.js';
import type { ModelConfig } from '../config/config.js';
import type { RunRequest } from '../journal/recorded-exchanges.js';
import type { Json } from '../json/json.js';
import type { Outcome } from '../judge/outcome.js';
import { isFinalReason } from '../judge/outcome-classes.js';
import { newTrial, type AskedResult, type NotRequested, type Requester } from './retry-policy.js';
import type { ModelState } from './target-state.js';

export interface ControlOptions {
  readonly controlBody: (model: ModelConfig) => Json;
  readonly judgeControl: (exchange: Exchange) => Outcome;
  /** Leaves a model alone until all others are done. */
  readonly leaveAlone: (state: ModelState, outcome: Outcome) => Promise<void>;
}

/**
 * A plain request outside of any trial, which shows whether a model answers at all. Those of a model are numbered, so that
 * none that is recorded is asked again.
 */
export function nextControl(state: ModelState, controlBody: ControlOptions['controlBody']): RunRequest {
  const { model } = state;
  const attempt = state.controls;
  state.controls += 1;
  const send = { purpose: 'control', step: 'control', attempt, body: controlBody(model) } as const;
  return { model: model.key, cell: null, ask: null, send };
}

/** What the plain request that opens a model showed. */
export type Opening =
  | { readonly kind: 'reachable' | 'unreachable'; readonly outcome: Outcome; readonly exchanges: readonly string[] }
  | NotRequested;

/**
 * Opens a model with a control; faults are repeated, as in any trial, and once more when all other models are done. Every
 * answer with a readable choice succeeds. An error that every request would meet makes the model unreachable, and so does
 * a 200 that is no completion; any other answer concerns this request alone.
 * @param askAgain where recorded controls failed, as the recorded run had ended
 */
export async function openByControl(
  state: ModelState,
  request: Requester,
  { controlBody, judgeControl, leaveAlone }: ControlOptions,
  askAgain: boolean,
): Promise<Opening> {
  const { retries } = state.target.config.limits;
  const trial = newTrial('opening');
  const exchanges: string[] = [];
  const look = ({ exchange }: AskedResult, attempts: number): Shown => {
    const outcome = judgeControl(exchange);
    if (concernsThisAlone(exchange, outcome)) return { kind: 'reachable', outcome };
    return { kind: attempts < mostAttempts(exchange, outcome, retries) ? 'open' : 'unreachable', outcome };
  };
  let shown: Shown | null = null;
  let attempts = 0;
  for (;;) {
    const result = await request.lookUp(state, nextControl(state, controlBody), trial);
    if (result === null) break;
    // Others were asked while its cells were.
    if (shown?.kind === 'reachable') continue;
    exchanges.push(result.id);
    shown = look(result, (attempts += 1));
  }
  state.controls -= 1;
  for (;;) {
    if (shown?.kind === 'unreachable' && askAgain) attempts = 0;
    else if (shown !== null && shown.kind !== 'open') return { kind: shown.kind, outcome: shown.outcome, exchanges };
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

interface Shown {
  readonly kind: 'reachable' | 'unreachable' | 'open';
  readonly outcome: Outcome;
}

/** The last of them is made when all other models are done. */
function mostAttempts({ answer: { status } }: Exchange, outcome: Outcome, retries: number): number {
  if (isFinalReason(outcome.reason)) return 1;
  if (outcome.fault || status === null || status >= 500) return 2 + retries;
  return isSuccess(status) ? 1 + retries : 1;
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
