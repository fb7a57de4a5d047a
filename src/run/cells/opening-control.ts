import { bodyForm } from '../../chat/body-form.js';
import { type Exchange, isSuccess } from '../../chat/exchange.js';
import { hasReadableChoice } from '../../chat/read-answer.js';
import type { ModelConfig } from '../../config/config.js';
import type { Json } from '../../json/json.js';
import type { Outcome } from '../../judge/outcome.js';
import { isFinalReason } from '../../judge/reasons.js';
import { isTemporary } from '../limits/backoff.js';
import { isFailure } from '../limits/failure.js';
import type { NotRequested, RequestResult } from '../request-result.js';
import { billingControl, type Requester } from '../requester.js';
import type { ModelState } from '../target-state.js';
import { newTrial, type TrialSoFar } from '../trial-so-far.js';

/** What the plain request that opens a model showed. */
export type Opening =
  | { readonly kind: 'reachable' | 'unreachable'; readonly outcome: Outcome; readonly exchanges: readonly string[] }
  | NotRequested;

export interface ControlOptions {
  readonly request: Requester;
  readonly controlBody: (model: ModelConfig) => Json;
  readonly judgeControl: (exchange: Exchange) => Outcome;
  /** A recorded control that failed is sent again: the recorded run had ended. */
  readonly askAgain: boolean;
}

/** Times that a control is sent again after a 200 that is no completion, which is seldom an accident. */
const retriesOfNonsense = 2;

/**
 * Sends a model's opening control; faults are retried, as in any trial. Every answer with a readable choice succeeds. An
 * error that every request would meet makes the model unreachable, and so does a 200 that is no completion; any other
 * answer concerns this request alone.
 */
export async function openingControl(state: ModelState, options: ControlOptions): Promise<Opening> {
  const { request } = options;
  state.opening = 'waiting';
  for (;;) {
    const recorded = await request.lookUp(state, billingControl(state, options.controlBody));
    if (recorded === null) break;
    state.billingControls += 1;
  }
  const opening = await openModel(state, options);
  state.opening = 'sent';
  return opening;
}

async function openModel(state: ModelState, { request, ...options }: ControlOptions): Promise<Opening> {
  const body = options.controlBody(state.model);
  const exchanges: string[] = [];
  const soFar = newTrial();
  let failed: Outcome | null = null;
  /** After the usual retries. */
  let failedSoFar: Outcome | null = null;
  /** Attempts before this one were sent before the run was interrupted. */
  let first = 0;
  for (let attempt = 0; ; attempt += 1) {
    const send = { purpose: 'control', step: 'control', attempt, body } as const;
    const control = { model: state.model.key, cell: null, ask: null, send };
    // Beyond the retries of an interrupted run, only what it recorded counts, unless it may be asked again.
    const result: RequestResult | null =
      failed === null || options.askAgain
        ? await request.ask(state, control, soFar)
        : await request.lookUp(state, control);
    if (result?.kind !== 'exchange') {
      const outcome = failed ?? failedSoFar;
      if (outcome !== null) return { kind: 'unreachable', outcome, exchanges };
      return result ?? { kind: 'missing', stop: { kind: 'not_recorded' } };
    }
    exchanges.push(result.id);
    const { answer } = result.exchange;
    const outcome = options.judgeControl(result.exchange);
    if (concernsThisAlone(result.exchange, outcome)) return { kind: 'reachable', outcome, exchanges };
    const { retries } = state.target.config.limits;
    const most = isSuccess(answer.status) && !outcome.fault ? Math.min(retries, retriesOfNonsense) : retries;
    if (attempt - first >= most) failedSoFar = outcome;
    const patience = maySoonEnd(result.exchange, soFar) ? 2 * most : most;
    const worthRetrying = isSuccess(answer.status) || isTemporary(answer);
    if (!worthRetrying || isFinalReason(outcome.reason) || attempt - first >= patience || stopped(state)) {
      if (result.live) return { kind: 'unreachable', outcome, exchanges };
      failed = outcome;
      first = attempt + 1;
      soFar.last = null;
    }
  }
}

/** Milliseconds. What lasts longer is no outage of seconds. */
const soon = 60_000;

/**
 * A service that is down, or fails at random, is asked as often again: its outage may be over in half a minute. A page for
 * every answer is more often a wrong address.
 */
function maySoonEnd({ answer, timing }: Exchange, { failedAt }: TrialSoFar): boolean {
  if (!isFailure(answer) || nobodyThere.includes(answer.failure?.kind ?? '')) return false;
  if (bodyForm(answer.body.join('')).kind === 'html') return false;
  const endedAt = Date.parse(timing.started_at) + timing.total_ms;
  return endedAt - (failedAt[0] ?? endedAt) < soon;
}

const nobodyThere: readonly string[] = ['connection_refused', 'dns', 'tls'];

const stopped = ({ stopSwitch }: ModelState): boolean => stopSwitch.reason() !== null;

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
