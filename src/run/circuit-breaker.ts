import { isSuccess, type Exchange } from '../chat/exchange.js';
import { bodyForm } from '../chat/parse-json.js';
import { hasReadableChoice } from '../chat/read-answer.js';
import type { ModelConfig } from '../config/config.js';
import type { RunRequest } from '../journal/read-journal.js';
import type { Json } from '../json/json.js';
import { isFinalReason, needsControl, type Outcome } from '../judge/outcome.js';
import type { Clock } from './clock.js';
import { newTrial, type Requester, type RequestResult, type NotRequested } from './retry-policy.js';
import type { ModelState } from './target-state.js';

/** Requests of a model in a row that are refused or not answered, which make it doubtful that it answers at all. */
const failuresToOpen = 10;
/**
 * How long a model that has answered before is asked again, in first waits before a repetition: ten seconds, or a tenth
 * of the run so far; two minutes where it meets load and no other model of the account is answered, either: a limit of
 * a minute passes.
 */
const patience = { ofModel: 20, ofAccount: 240, shareOfRun: 0.1 } as const;

export interface BreakerOptions extends ControlOptions {
  readonly clock: Clock;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Ends the run, as when its journal cannot be written. */
  readonly failed: (error: unknown) => void;
  /** Questions beside the trials, which the run waits for before it ends. */
  readonly beside: (question: Promise<void>) => void;
}

/** Counts an answer, and opens the breaker where it was one too many without a good one. */
export function noteAnswered(
  state: ModelState,
  isAnswered: boolean,
  ask: Requester['ask'],
  options: BreakerOptions,
): void {
  const { breaker, target } = state;
  breaker.inARow = isAnswered ? 0 : breaker.inARow + 1;
  if (breaker.inARow < failuresToOpen || breaker.isOpen) return;
  breaker.isOpen = true;
  const question = askUntilAnswered(state, ask, options)
    .catch(options.failed)
    .finally(() => {
      breaker.inARow = 0;
      breaker.isOpen = false;
      target.shared.scheduler.pump();
    });
  options.beside(question);
}

/**
 * Asks a plain question while the model's other requests are held back. Where its repetitions are not answered, either,
 * the model is left until all others are done, and given up if it is still silent then.
 */
async function askUntilAnswered(state: ModelState, ask: Requester['ask'], options: BreakerOptions): Promise<void> {
  const { clock, controlBody, judgeControl, leaveAlone } = options;
  const { target, model, stopSwitch, answers } = state;
  const { retries } = target.config.limits;
  const trial = newTrial('question');
  const askedAt = clock.now();
  let isLeft = false;
  for (let attempt = 0; ; attempt += 1) {
    const result = await ask(state, nextControl(state, controlBody), trial);
    if (result.kind === 'missing' || trial.last?.sign.kind === 'answered') break;
    if (state.breaker.isOver) break;
    const outcome = judgeControl(result.exchange);
    const isLoad = trial.last?.sign.kind === 'load' && !othersAnswered(state, askedAt);
    const givenUpAt = askedAt + patienceWith(state, clock.now() - options.startedAt, isLoad);
    if (isLeft && clock.now() >= givenUpAt) {
      const { class: kind, reason, status, detail } = outcome;
      const since = answers.count === 0 ? null : new Date(answers.lastAt).toISOString();
      const answered = { since, answered: answers.count };
      stopSwitch.stop({ kind: 'unanswered', answered_by: model.key, class: kind, reason, status, detail, ...answered });
      break;
    }
    if (isLeft || answers.count > 0) trial.until = givenUpAt;
    if (isLeft || attempt < retries) continue;
    isLeft = true;
    await leaveAlone(state, outcome);
  }
}

/** Milliseconds from the first question, given how long the run has taken so far. */
function patienceWith({ target, answers }: ModelState, elapsed: number, isLoad: boolean): number {
  if (answers.count === 0) return 0;
  const least = isLoad ? patience.ofAccount : patience.ofModel;
  return Math.max(least * target.firstBackoff, elapsed * patience.shareOfRun);
}

function othersAnswered(state: ModelState, since: number): boolean {
  return state.target.shared.models.some((one) => one !== state && one.answers.lastAt > since);
}

export interface ControlOptions {
  readonly controlBody: (model: ModelConfig) => Json;
  readonly judgeControl: (exchange: Exchange) => Outcome;
  /** Leaves a model alone until all others are done. */
  readonly leaveAlone: (state: ModelState, outcome: Outcome) => Promise<void>;
}

/**
 * A plain request outside of any trial, which shows whether a model answers at all. Those of a model are numbered, so
 * that none that is recorded is asked again.
 */
export function nextControl(state: ModelState, controlBody: ControlOptions['controlBody']): RunRequest {
  const { model } = state;
  const attempt = state.controls;
  state.controls += 1;
  const send = { purpose: 'control', step: 'control', attempt, body: controlBody(model) } as const;
  return { model: model.key, cell: null, ask: null, send };
}

/** What the plain request that opens a model showed. */
type Opening =
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
  const trial = newTrial('opening');
  const exchanges: string[] = [];
  const look = ({ exchange }: Exclude<RequestResult, NotRequested>, attempts: number): CircuitSighting => {
    const outcome = judgeControl(exchange);
    if (state.target.config.listed && isNoChatModel(exchange, outcome)) return { kind: 'unreachable', outcome };
    if (concernsThisAlone(exchange, outcome)) return { kind: 'reachable', outcome };
    return { kind: attempts < mostAttempts(exchange, outcome, retries) ? 'open' : 'unreachable', outcome };
  };
  let shown: CircuitSighting | null = null;
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

interface CircuitSighting {
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
