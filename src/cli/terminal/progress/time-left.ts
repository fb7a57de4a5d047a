import type { TargetConfig } from '../../../config/config.js';
import type { LastMinute } from './last-minute.js';
import type { Moment } from './waits.js';

interface Circumstances extends Moment {
  readonly minute: LastMinute;
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
  concurrency: number;
  perMinute: number;
  tokensPerMinute: number;
}

/**
 * The least seconds until everything is asked: no surprise, and answers that take as long as those before, at the
 * concurrency and within the limits of each account.
 */
export function secondsLeft(at: number, circumstances: Circumstances): number {
  const { models, minute, began, tokensEach } = circumstances;
  const loads = loadsOf(at, circumstances);
  const ofAccounts = [...loads.values()].map(
    ({ requests, seconds, slowest, pause, concurrency, perMinute, tokensPerMinute }) =>
      requests === 0
        ? 0
        : Math.max(
            pause + Math.max(slowest, seconds / concurrency),
            (60 * requests) / perMinute,
            (60 * requests * tokensEach) / tokensPerMinute,
          ),
  );
  let all = 0;
  for (const { left } of models.values()) all += left;
  // A service that slows requests down is slower than its limits.
  const rate = minute.rate(at, began);
  const paced = at - began < settled || rate === 0 ? 0 : (60 * all) / rate;
  return Math.max(paced, ...ofAccounts);
}

function loadsOf(at: number, { models, waits, targets, share, accounts }: Circumstances): ReadonlyMap<string, Load> {
  const loads = new Map<string, Load>();
  for (const { name, limits } of targets) {
    const account = accounts.get(name) ?? name;
    const load = loads.get(account) ?? { requests: 0, seconds: 0, slowest: 0, pause: 0, ...noLimits };
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
