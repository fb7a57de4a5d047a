import type { TargetConfig } from '../../../config/config.js';
import type { LastMinute } from './last-minute.js';
import type { Moment } from './waits.js';

interface Circumstances extends Moment {
  /** Of answers, by target. */
  readonly minutes: ReadonlyMap<string, LastMinute>;
  /** Answers of all targets in the last minute. */
  readonly perMinute: number;
  /** Tokens that a request took on average. */
  readonly tokensEach: number;
  readonly targets: readonly TargetConfig[];
  /** The part of the limits that this run may use, above 0 and up to 1. */
  readonly share: number;
  /** By target: equal for targets that a service counts together. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** Milliseconds after which the pace so far says more than the limits. */
const settled = 30_000;

/** Requests that an account still has to answer, and what holds them up. */
interface Load {
  requests: number;
  /** If they were sent one after the other. */
  seconds: number;
  /** Of its slowest model, at that model's own concurrency. */
  slowest: number;
  /** Until a pause ends. */
  pause: number;
  /** In the last minute. */
  answered: number;
  concurrency: number;
  perMinute: number;
  tokensPerMinute: number;
}

/**
 * The least seconds until everything is asked: no surprise, and answers that take as long as those before, at the
 * concurrency and within the limits of each account.
 */
export function secondsLeft(at: number, circumstances: Circumstances): number {
  const { models, perMinute: pace, began, tokensEach } = circumstances;
  const loads = loadsOf(at, circumstances);
  const ofAccounts = [...loads.values()].map(
    ({ requests, seconds, slowest, pause, answered, concurrency, perMinute, tokensPerMinute }) =>
      requests === 0
        ? 0
        : Math.max(
            pause + Math.max(slowest, seconds / concurrency),
            beyond(requests, answered, perMinute),
            beyond(requests * tokensEach, answered * tokensEach, tokensPerMinute),
          ),
  );
  let all = 0;
  for (const { left } of models.values()) all += left;
  // A service that slows requests down is slower than its limits.
  const paced = at - began < settled || pace === 0 ? 0 : (60 * all) / pace;
  return Math.max(paced, ...ofAccounts);
}

/** Seconds for what does not fit into this minute any more. */
function beyond(left: number, inMinute: number, perMinute: number): number {
  if (perMinute === Infinity) return 0;
  return (60 * Math.max(0, left - Math.max(0, perMinute - inMinute))) / perMinute;
}

function loadsOf(
  at: number,
  { models, waits, minutes, targets, share, accounts }: Circumstances,
): ReadonlyMap<string, Load> {
  const loads = new Map<string, Load>();
  for (const { name, limits } of targets) {
    const account = accounts.get(name) ?? name;
    const load = loads.get(account) ?? { requests: 0, seconds: 0, slowest: 0, pause: 0, answered: 0, ...noLimits };
    load.answered += minutes.get(name)?.within(at) ?? 0;
    const wait = waits.get(name);
    if (wait !== undefined && wait.reason !== 'rate_limit') load.pause = Math.max(load.pause, (wait.until - at) / 1000);
    load.concurrency = Math.min(load.concurrency, Math.max(1, Math.floor(limits.concurrency * share)));
    load.perMinute = Math.min(load.perMinute, (limits.requestsPerMinute ?? Infinity) * share);
    load.tokensPerMinute = Math.min(load.tokensPerMinute, (limits.tokensPerMinute ?? Infinity) * share);
    loads.set(account, load);
  }
  for (const { target, concurrency, left, answers, answering } of models.values()) {
    const load = loads.get(accounts.get(target) ?? target);
    if (load === undefined) continue;
    // As `list` assumes where nothing is known.
    const seconds = left * (answers === 0 ? 1 : answering / answers / 1000);
    load.requests += left;
    load.seconds += seconds;
    load.slowest = Math.max(load.slowest, seconds / Math.max(1, Math.floor(concurrency * share)));
  }
  return loads;
}

const noLimits = { concurrency: Infinity, perMinute: Infinity, tokensPerMinute: Infinity };
