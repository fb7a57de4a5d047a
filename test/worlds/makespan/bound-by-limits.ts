import { sum } from '../../../src/stats/sum.js';

/** Limits that all requests of a model or an account share. */
export interface Bounds {
  /** Requests in flight at a time. */
  readonly slots: number;
  /** Requests that a minute allows; Infinity without a limit. */
  readonly perMinute: number;
}

const minute = 60_000;
/** Milliseconds that a sent request may take to arrive: a lost packet is sent again after one second and after two more. */
export const longestTravel = 3000;

/**
 * Milliseconds that requests take at least, however they are ordered; the largest of these.
 *
 * - Slots: `slots` requests in flight at a time do at most `slots` milliseconds of work in each millisecond.
 * - Rates: at most `rate` requests count at any time, and one counts from when it is sent until a minute after it has
 *   arrived. When that is, nobody but the service knows: no later than it is answered, and than `longestTravel`. So the
 *   request that is sent as the j-th is sent a minute or more after the (j - rate)-th may have arrived. Of the first i that
 *   arrive, one was sent as the i-th or later, so the i-th arrives no sooner than the i-th is sent and the shortest travel.
 *   Hence each request is sent a minute and the shortest travel, or more, after the one sent `rate` requests before it.
 *
 *   Where n requests take more than k minutes, the first `m = n - k * rate` of each minute hold up those of the next, and
 *   the last one is sent k of these minutes after the start and as much later as the slowest of these k + 1 groups needs to
 *   send its last: by then all but `slots` of the group are over. That is at least a (k + 1)th of the work of the
 *   (k + 1) * (m - slots) shortest requests.
 * @param durations how long each request is in flight, in milliseconds
 */
export function boundByLimits(durations: readonly number[], { slots, perMinute }: Bounds): number {
  const shortestFirst = durations.toSorted((a, b) => a - b);
  const [shortest = 0] = shortestFirst;
  const cycle = minute + Math.min(shortest, longestTravel);
  let most = sum(durations) / slots;
  for (let minutes = 1; ; minutes += 1) {
    const rest = durations.length - minutes * perMinute;
    if (!(rest > 0)) return most;
    // A group is no longer than a minute: what is more belongs to the group before.
    const ofGroups = shortestFirst.slice(0, Math.max(0, Math.min(rest, perMinute) - slots) * (minutes + 1));
    most = Math.max(most, minutes * cycle + sum(ofGroups) / (minutes + 1) / slots + shortest);
  }
}
