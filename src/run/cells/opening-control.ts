import type { Exchange } from '../../chat/exchange.js';
import { hasReadableChoice } from '../../chat/read-answer.js';
import type { ModelConfig } from '../../config/config.js';
import type { Json } from '../../json/json.js';
import type { Outcome } from '../../judge/outcome.js';
import { isFinalReason } from '../../judge/reasons.js';
import { isTemporary } from '../limits/backoff.js';
import { stopForQuota } from '../limits/backpressure.js';
import type { NotRequested, Requester } from '../requester.js';
import type { ModelState } from '../target-state.js';

/** What the plain request that opens a model showed. */
export type Opening =
  | { readonly kind: 'reachable' | 'unreachable'; readonly outcome: Outcome; readonly exchanges: readonly string[] }
  | NotRequested;

export interface ControlOptions {
  readonly request: Requester;
  readonly controlBody: (model: ModelConfig) => Json;
  readonly judgeControl: (exchange: Exchange) => Outcome;
}

/**
 * Sends a model's opening control; faults are retried, as in any trial. Every answer with a readable choice succeeds. An
 * error that every request would meet makes the model unreachable; any other answer concerns this request alone.
 */
export async function openingControl(state: ModelState, options: ControlOptions): Promise<Opening> {
  const body = options.controlBody(state.model);
  const exchanges: string[] = [];
  let earlier: Exchange | null = null;
  for (let attempt = 0; ; attempt += 1) {
    const send = { purpose: 'control', step: 'control', attempt, body } as const;
    const request = { model: state.model.key, cell: null, ask: null, send };
    const result = await options.request(state, request, earlier);
    if (result.kind === 'missing') return result;
    exchanges.push(result.id);
    earlier = result.exchange;
    const { answer } = result.exchange;
    const outcome = options.judgeControl(result.exchange);
    if (hasReadableChoice(answer) || !(outcome.fault || meetsEveryRequest(answer.status))) {
      return { kind: 'reachable', outcome, exchanges };
    }
    const worthRetrying = isTemporary(answer) && !isFinalReason(outcome.reason);
    const { retries } = state.target.config.limits;
    if (!worthRetrying || attempt >= retries || state.stopSwitch.reason() !== null) {
      if (result.live && outcome.reason === 'quota') stopForQuota(state, outcome.detail);
      return { kind: 'unreachable', outcome, exchanges };
    }
  }
}

/** No answer, a redirect, 401 to 404, 408, 429, 5xx. */
function meetsEveryRequest(status: number | null): boolean {
  if (status === null || status >= 500) return true;
  return (status >= 300 && status < 400) || (status >= 401 && status <= 404) || status === 408 || status === 429;
}
