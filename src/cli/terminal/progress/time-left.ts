import type { TargetConfig } from '../../../config/config.js';
import type { LastMinute } from './last-minute.js';
import { longSilence, type Moment } from './waits.js';

interface Circumstances extends Moment {
  /** Of answers, by target. */
  readonly minutes: ReadonlyMap<string, LastMinute>;
  /** Tokens that a request took on average. */
  readonly tokensEach: number;
  readonly targets: readonly TargetConfig[];
  /** The part of the limits that this run may use, above 0 and up to 1. */
  readonly share: number;
  /** By target: equal for targets that a service counts together. */
  readonly accounts: ReadonlyMap<string, string>;
}

export interface TimeLeft {
  readonly seconds: number;
  /** Nobody can know how much longer it takes. */
  readonly isLeast: boolean;
}

/** Milliseconds after which the pace so far says more than the limits. */
const settled = 30_000;
/** Milliseconds that an answer is assumed to take where nothing is known, as by `list`. */
const assumed = 1000;

/** Requests that an account still has to answer, and what holds them up. Times are in milliseconds. */
interface Load {
  requests: number;
  /** If they were sent one after the other. */
  time: number;
  /** Of its slowest model, at that model's own concurrency. */
  slowest: number;
  /** To the models that refusals hold up, and how many of them are answered in a millisecond. */
  held: { requests: number; rate: number };
  /** Until a pause ends. */
  pause: number;
  /** In the last minute. */
  answered: number;
  /** For which its slots were taken so far. */
  busy: number;
  /** Since when nothing has come that should have; since the epoch. */
  silentFrom: number;
  /** Some of its models need not go on as they did. */
  isErratic: boolean;
  isLeast: boolean;
  concurrency: number;
  perMinute: number;
  tokensPerMinute: number;
}

/**
 * The time until everything is asked: no surprise, and answers that take as long as those before, at the concurrency and
 * within the limits of each account.
 */
export function timeLeft(at: number, circumstances: Circumstances): TimeLeft {
  const { began, tokensEach } = circumstances;
  const loads = [...loadsOf(at, circumstances).values()].filter(({ requests }) => requests > 0);
  const ofAccounts = loads.map((load) => {
    const { requests, slowest, held, pause, answered, perMinute, tokensPerMinute } = load;
    const atOnce = load.time / slotsInUse(load, at - began);
    const heldUp = held.requests === 0 ? 0 : held.requests / held.rate;
    return Math.max(
      (pause + Math.max(slowest, atOnce, heldUp)) / 1000,
      beyond(requests, answered, perMinute),
      beyond(requests * tokensEach, answered * tokensEach, tokensPerMinute),
    );
  });
  return { seconds: Math.max(0, ...ofAccounts), isLeast: loads.some((load) => load.isLeast || isSilent(load, at)) };
}

/** A service that slows requests down is slower than its limits. */
function slotsInUse({ concurrency, busy, isErratic }: Load, elapsed: number): number {
  return isErratic || elapsed < settled || busy === 0 ? concurrency : Math.min(concurrency, busy / elapsed);
}

/** Whatever it has to answer takes unusually long. */
function isSilent({ silentFrom, requests, time }: Load, at: number): boolean {
  const usual = requests === 0 ? 0 : time / requests;
  return at - silentFrom > Math.max(1000 * longSilence, 3 * usual);
}

/** Seconds for what does not fit into this minute any more. */
function beyond(left: number, inMinute: number, perMinute: number): number {
  if (perMinute === Infinity) return 0;
  return (60 * Math.max(0, left - Math.max(0, perMinute - inMinute))) / perMinute;
}

function loadsOf(
  at: number,
  { began, models, waits, minutes, targets, share, accounts }: Circumstances,
): ReadonlyMap<string, Load> {
  const loads = new Map<string, Load>();
  for (const { name, limits } of targets) {
    const account = accounts.get(name) ?? name;
    const load = loads.get(account) ?? { ...nothing, held: { requests: 0, rate: 0 }, silentFrom: began };
    load.answered += minutes.get(name)?.within(at) ?? 0;
    const wait = waits.get(name);
    load.silentFrom = Math.max(load.silentFrom, wait?.until ?? began);
    if (wait !== undefined && wait.reason !== 'rate_limit') load.pause = Math.max(load.pause, wait.until - at);
    load.concurrency = Math.min(load.concurrency, Math.max(1, Math.floor(limits.concurrency * share)));
    load.perMinute = Math.min(load.perMinute, (limits.requestsPerMinute ?? Infinity) * share);
    load.tokensPerMinute = Math.min(load.tokensPerMinute, (limits.tokensPerMinute ?? Infinity) * share);
    loads.set(account, load);
  }
  for (const { target, concurrency, left, speed } of models.values()) {
    const load = loads.get(accounts.get(target) ?? target);
    if (load === undefined) continue;
    const { each, busy, held, fails, isErratic, lastAnswer } = speed(at);
    // Its opening request went before everything else.
    const isUnopened = lastAnswer === null && at - began > 1000 * longSilence;
    const time = isUnopened ? 0 : left * (each ?? assumed);
    load.requests += left;
    load.time += time;
    load.busy += busy;
    load.slowest = Math.max(load.slowest, time / Math.max(1, Math.floor(concurrency * share)));
    load.silentFrom = Math.max(load.silentFrom, lastAnswer ?? began);
    if (left === 0) continue;
    load.isErratic ||= isErratic || isUnopened;
    load.isLeast ||= fails || isUnopened;
    if (held !== null) load.held = { requests: load.held.requests + left, rate: load.held.rate + held };
  }
  return loads;
}

const nothing = {
  ...{ requests: 0, time: 0, slowest: 0, pause: 0, answered: 0, busy: 0, isErratic: false, isLeast: false },
  ...{ concurrency: Infinity, perMinute: Infinity, tokensPerMinute: Infinity },
};
