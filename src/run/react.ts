import type { Answer } from '../chat/exchange.js';
import { retryAfterOf } from '../chat/retry-after.js';
import type { Json } from '../json/json.js';
import { classify } from '../judge/classify.js';
import type { ModelLane } from './lane.js';

/** Milliseconds; a service that asks for a longer pause (a used-up day or plan) is not waited for. */
export const longestPause = 5 * 60_000;

/**
 * What an answer means for the requests after it: a pause, a lower or a higher pace, a stop.
 * @param sentAt,now milliseconds since the epoch
 */
export function react(lane: ModelLane, request: Json, answer: Answer, sentAt: number, now: number): void {
  const { status } = answer;
  const bill = unpaidBill(request, answer);
  if (bill !== null) stopForQuota(lane, bill);
  else if (status === 429) {
    // Each model of the embedded service is an account of its own.
    if (!lane.lane.target.simulator) lane.lane.slots.slowDown(sentAt, now);
    const wait = 1000 * (retryAfterOf(answer, now) ?? 0);
    if (wait > longestPause) lane.halt.stop(`${lane.model.key} asks to wait ${Math.round(wait / 1000)} s`);
    else lane.pausedUntil = Math.max(lane.pausedUntil, now + wait);
  } else if (status !== null && status < 500 && answer.failure === null) lane.lane.slots.speedUp();
}

/** A bill that is not paid stops everything that goes to the account. */
export function stopForQuota(lane: ModelLane, detail: string | null): void {
  const account = lane.lane.target.simulator ? lane.halt : lane.lane.halt;
  const said = detail === null ? '' : `: ${detail}`;
  account.stop(`${lane.model.key} answered that the account's quota is used up${said}`);
}

function unpaidBill(request: Json, { status, headers, body }: Answer): string | null {
  if (status === null || status < 400) return null;
  const { reason, detail } = classify({ status, headers, body: body.join(''), request });
  return reason === 'quota' ? detail : null;
}
