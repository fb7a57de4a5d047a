import type { Answer } from '../chat/exchange.js';
import { retryAfterOf } from '../chat/retry-after.js';
import type { ModelLane } from './lane.js';

/** Milliseconds; a service that asks for a longer pause (a used-up day or plan) is not waited for. */
export const longestPause = 5 * 60_000;

/**
 * What an answer means for the requests after it: a pause, a lower or a higher pace, a stop.
 * @param sentAt,now milliseconds since the epoch
 */
export function react(lane: ModelLane, answer: Answer, sentAt: number, now: number): void {
  const { status } = answer;
  if (status === 429) {
    // Each model of the embedded service is an account of its own.
    if (!lane.lane.target.simulator) lane.lane.slots.slowDown(sentAt, now);
    const wait = 1000 * (retryAfterOf(answer, now) ?? 0);
    if (wait > longestPause) lane.halt.stop(`${lane.model.key} asks to wait ${Math.round(wait / 1000)} s`);
    else lane.pausedUntil = Math.max(lane.pausedUntil, now + wait);
  } else if (status !== null && status < 500 && answer.failure === null) lane.lane.slots.speedUp();
}
