import type { Exchange } from '../chat/exchange.js';
import { hasReadableChoice } from '../chat/read-answer.js';
import type { ModelConfig } from '../config/config.js';
import type { Json } from '../json/json.js';
import type { Outcome } from '../judge/outcome.js';
import { isFinalReason } from '../judge/refusals/faults.js';
import type { Asked, Asker } from './requester.js';
import { looksLikeFault } from './limits/backoff.js';
import type { ModelLane } from './target-state.js';
import { stopForQuota } from './limits/backpressure.js';

/** What the plain request that opens a model showed. */
export type Opening =
  | { readonly kind: 'reachable' | 'unreachable'; readonly outcome: Outcome; readonly exchanges: readonly string[] }
  | { readonly kind: 'missing'; readonly why: string };

export interface ControlOptions {
  readonly ask: Asker;
  readonly controlBody: (model: ModelConfig) => Json;
  readonly judgeControl: (exchange: Exchange) => Outcome;
}

/**
 * Sends a model's opening control; faults are retried, as in any trial. Whatever has a readable choice succeeds. Trouble
 * that would meet every request makes the model unreachable; any other answer is the finding of this request alone.
 */
export async function openingControl(lane: ModelLane, options: ControlOptions): Promise<Opening> {
  const body = options.controlBody(lane.model);
  const exchanges: string[] = [];
  let earlier: Exchange | null = null;
  for (let attempt = 0; ; attempt += 1) {
    const send = { purpose: 'control', step: 'control', attempt, body } as const;
    const asked: Asked = await options.ask(lane, { model: lane.model.key, cell: null, ask: null, send }, earlier);
    if (asked.kind === 'missing') return asked;
    exchanges.push(asked.id);
    earlier = asked.exchange;
    const { answer } = asked.exchange;
    const outcome = options.judgeControl(asked.exchange);
    if (hasReadableChoice(answer) || !(outcome.fault || meetsEveryRequest(answer.status))) {
      return { kind: 'reachable', outcome, exchanges };
    }
    const mayHeal = looksLikeFault(answer) && !isFinalReason(outcome.reason);
    if (!mayHeal || attempt >= lane.lane.target.config.limits.retries || lane.halt.why() !== null) {
      if (asked.live && outcome.reason === 'quota') stopForQuota(lane, outcome.detail);
      return { kind: 'unreachable', outcome, exchanges };
    }
  }
}

/** No answer, a redirect, 401 to 404, 408, 429, 5xx. */
function meetsEveryRequest(status: number | null): boolean {
  if (status === null || status >= 500) return true;
  return (status >= 300 && status < 400) || (status >= 401 && status <= 404) || status === 408 || status === 429;
}
