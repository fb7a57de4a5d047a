import type { Answer } from '../../chat/exchange.js';
import { retryAfterOf } from '../../chat/errors/retry-after.js';
import type { Json } from '../../json/json.js';
import { classify } from '../../judge/refusals/classify.js';
import type { ModelState } from '../target-state.js';

/** Milliseconds. A service that asks for a longer pause (a used-up day or plan) is not waited for. */
export const longestPause = 5 * 60_000;

/**
 * Applies what an answer means for the requests after it: a pause, fewer or more requests at a time, a stop.
 * @param sentAt,now milliseconds since the epoch
 */
export function applyBackpressure(state: ModelState, request: Json, answer: Answer, sentAt: number, now: number): void {
  const { status } = answer;
  const unpaid = unpaidBill(request, answer);
  if (unpaid !== null) {
    stopForQuota(state, unpaid.detail);
    return;
  }
  // Each model of the embedded service is an account of its own.
  if (status === 429 && !state.target.simulator) state.target.slots.slowDown(sentAt, now);
  if (status !== null && status < 400 && answer.failure === null) state.target.slots.speedUp();
  const wait = pauseAsked(answer, now);
  if (wait > longestPause) stopForPause(state, wait);
  // A 503 concerns one request at one moment; the others concern everything that is sent to the model.
  else if (status !== 503) state.pausedUntil = Math.max(state.pausedUntil, now + wait);
}

/** Milliseconds for which the model should be left alone: after a refusal, or because a rate is used up. */
function pauseAsked(answer: Answer, now: number): number {
  if (answer.status === 429 || answer.status === 503) return 1000 * (retryAfterOf(answer, now) ?? 0);
  const usedUp = Object.entries(answer.headers).some(
    ([name, value]) => /^(?:x-)?ratelimit-remaining/.test(name) && value.trim() === '0',
  );
  if (!usedUp) return 0;
  // The reset times of a good answer are read like those of the refusal that would come next.
  const pause = 1000 * (retryAfterOf({ ...answer, status: 429, body: [] }, now) ?? 0);
  return pause > longestPause ? 0 : pause;
}

/** @param wait milliseconds that the service asks for, more than {@link longestPause} */
export function stopForPause({ stopSwitch, model }: ModelState, wait: number): void {
  stopSwitch.stop({ kind: 'long_pause', answered_by: model.key, seconds: Math.round(wait / 1000) });
}

/** An unpaid bill stops everything that is sent on the account. */
export function stopForQuota({ stopSwitch, model, target }: ModelState, detail: string | null): void {
  const account = target.simulator ? stopSwitch : target.stopSwitch;
  account.stop({ kind: 'quota', answered_by: model.key, detail });
}

function unpaidBill(request: Json, { status, headers, body }: Answer): { readonly detail: string } | null {
  if (status === null || status < 400) return null;
  const { reason, detail } = classify({ status, headers, body: body.join(''), request });
  return reason === 'quota' ? { detail } : null;
}
