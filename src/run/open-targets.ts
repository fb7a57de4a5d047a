import type { Limits } from '../config/config.js';
import type { Clock } from './clock.js';
import type { Halt } from './limits/halt.js';
import { openLane, openRoom, type Lane, type LaneListener, type Room, type RunTarget } from './target-state.js';

/**
 * A lane for each target. A service counts by key: targets of one address and one key share their room, in which the
 * strictest limits of any of them hold.
 */
export function openLanes(
  targets: ReadonlyMap<string, RunTarget>,
  share: number,
  clock: Clock,
  run: Halt,
  listener: LaneListener,
): ReadonlyMap<string, Lane> {
  const limits = new Map<string, Limits>();
  for (const { config } of targets.values()) {
    const account = accountOf(config);
    limits.set(account, strictest(limits.get(account) ?? config.limits, config.limits));
  }
  const rooms = new Map<string, Room>();
  return new Map(
    [...targets].map(([name, target]) => {
      const account = accountOf(target.config);
      const room =
        rooms.get(account) ??
        openRoom(limits.get(account) ?? target.config.limits, share, clock, (ms) => {
          listener.waiting(name, ms, 'limit per minute');
        });
      rooms.set(account, room);
      return [name, openLane(target, room, run, listener)];
    }),
  );
}

/** Without a key, nothing says that two targets are one account. */
function accountOf({ name, baseUrl, apiKeyEnv }: RunTarget['config']): string {
  return JSON.stringify(apiKeyEnv === null ? [name] : [baseUrl, apiKeyEnv]);
}

function strictest(one: Limits, other: Limits): Limits {
  const least = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? (a ?? b) : Math.min(a, b);
  return {
    ...one,
    concurrency: Math.min(one.concurrency, other.concurrency),
    requestsPerMinute: least(one.requestsPerMinute, other.requestsPerMinute),
    tokensPerMinute: least(one.tokensPerMinute, other.tokensPerMinute),
  };
}
