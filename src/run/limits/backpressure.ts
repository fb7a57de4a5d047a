import type { Answer } from '../../chat/exchange.js';
import { retryAfterOf } from '../../chat/errors/retry-after.js';
import type { Json } from '../../json/json.js';
import { classify } from '../../judge/refusals/classify.js';
import type { ModelLane } from '../target-state.js';

/** Milliseconds; a service that asks for a longer pause (a used-up day or plan) is not waited for. */
export const longestPause = 5 * 60_000;

/**
 * What an answer means for the requests after it: a pause, a lower or a higher pace, a stop.
 * @param sentAt,now milliseconds since the epoch
 */
export function react(lane: ModelLane, request: Json, answer: Answer, sentAt: number, now: number): void {
  const { status } = answer;
  const bill = unpaidBill(request, answer);
  if (bill !== null) {
    stopForQuota(lane, bill);
    return;
  }
  // Each model of the embedded service is an account of its own.
  if (status === 429 && !lane.lane.target.simulator) lane.lane.slots.slowDown(sentAt, now);
  if (status !== null && status < 400 && answer.failure === null) lane.lane.slots.speedUp();
  const wait = askedPause(answer, now);
  if (wait > longestPause) stopForPause(lane, wait);
  // A 503 speaks of the moment and of one request, the others of what the model may be sent at all.
  else if (status !== 503) lane.pausedUntil = Math.max(lane.pausedUntil, now + wait);
}

/** Milliseconds for which the model should be left alone: after a refusal, or because a rate has just been used up. */
function askedPause(answer: Answer, now: number): number {
  if (answer.status === 429 || answer.status === 503) return 1000 * (retryAfterOf(answer, now) ?? 0);
  const usedUp = Object.entries(answer.headers).some(
    ([name, value]) => /^(?:x-)?ratelimit-remaining/.test(name) && value.trim() === '0',
  );
  if (!usedUp) return 0;
  // The reset times of a good answer are read as those of the refusal that would come next.
  const pause = 1000 * (retryAfterOf({ ...answer, status: 429, body: [] }, now) ?? 0);
  return pause > longestPause ? 0 : pause;
}

/** @param wait milliseconds that the service asks for, more than {@link longestPause} */
export function stopForPause(lane: ModelLane, wait: number): void {
  lane.halt.stop(`${lane.model.key} asks to wait ${Math.round(wait / 1000)} s`);
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
