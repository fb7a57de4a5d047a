import { strictest } from '../../../config/accounts.js';
import type { Limits, TargetConfig } from '../../../config/config.js';
import { groupBy } from '../../../json/group-by.js';

/** What is known of a target while it is asked, in requests. */
export interface Pace {
  /** Expected still. */
  readonly left: number;
  /** Of trials that ended in the last minute. */
  readonly ended: number;
  /** Answered in the last minute, repetitions included. */
  readonly answered: number;
}

export interface Circumstances {
  readonly targets: readonly TargetConfig[];
  /** By target: equal for targets that a service counts together. */
  readonly accounts: ReadonlyMap<string, string>;
  /** The part of the limits that this run may use, above 0 and up to 1. */
  readonly share: number;
  readonly elapsedSeconds: number;
  /** Tokens that a request took on average. */
  readonly tokensEach: number;
}

/** Seconds that a request is assumed to take where nothing is known, as by `list`. */
const assumed = 1;

/**
 * Seconds until everything is asked: what is left at the pace of the last minute, within the limits per minute of each
 * account.
 */
export function secondsLeft(paces: ReadonlyMap<string, Pace>, circumstances: Circumstances): number {
  const { targets, accounts, share, elapsedSeconds, tokensEach } = circumstances;
  const ofAccounts = [...groupBy(targets, ({ name }) => accounts.get(name) ?? name).values()].map((sharing) => {
    const of = (what: keyof Pace): number => sharing.reduce((sum, { name }) => sum + (paces.get(name)?.[what] ?? 0), 0);
    const limits = sharing.map((target): Limits => target.limits).reduce(strictest);
    const [left, ended, answered] = [of('left'), of('ended'), of('answered')];
    const perSecond =
      ended > 0 ? ended / Math.min(60, elapsedSeconds) : Math.max(1, limits.concurrency * share) / assumed;
    return Math.max(
      left / perSecond,
      beyond(left, answered, (limits.requestsPerMinute ?? Infinity) * share),
      beyond(left * tokensEach, answered * tokensEach, (limits.tokensPerMinute ?? Infinity) * share),
    );
  });
  return Math.max(0, ...ofAccounts);
}

/** Seconds for what does not fit into this minute any more. */
function beyond(left: number, inMinute: number, perMinute: number): number {
  if (perMinute === Infinity) return 0;
  return (60 * Math.max(0, left - Math.max(0, perMinute - inMinute))) / perMinute;
}
