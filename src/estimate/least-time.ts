import { shareOfLimit, strictest } from '../config/accounts.js';
import type { TargetConfig } from '../config/config.js';
import { groupBy } from '../json/group-by.js';
import { sumOfRanges, type CellEstimate, type Range } from './estimate-cell.js';

/** How the requests are sent, as far as it holds them back. */
export interface Sending {
  /** Account by target: those of one account share its limits, the strictest of theirs; absent: each target has its own. */
  readonly accounts?: ReadonlyMap<string, string>;
  /** Among how many shards every limit is divided; default 1. */
  readonly shards?: number;
}

/** Seconds that an answer is assumed to take, since that cannot be known in advance. */
const assumedSeconds = 1;

/** The least time in which the limits of the targets let all of this finish, in seconds; accounts are asked side by side. */
export function leastTime(
  targets: readonly TargetConfig[],
  amounts: readonly CellEstimate[],
  { accounts, shards = 1 }: Sending,
): Range {
  const byModel = groupBy(amounts, ({ model }) => model);
  // A target that is asked nothing does not hold back the others of its account.
  const asked = targets.filter(({ models }) => models.some(({ key }) => byModel.has(key)));
  const ofAccounts = [...groupBy(asked, ({ name }) => accounts?.get(name) ?? name).values()].map((ofAccount) =>
    secondsOf(ofAccount, byModel, 1 / shards),
  );
  const longest = (which: keyof Range): number => Math.max(0, ...ofAccounts.map((range) => range[which]));
  return { expected: longest('expected'), largest: longest('largest') };
}

function secondsOf(
  targets: readonly TargetConfig[],
  byModel: ReadonlyMap<string, readonly CellEstimate[]>,
  share: number,
): Range {
  const limits = targets.map((target) => target.limits).reduce(strictest);
  const models = targets.flatMap((target) => target.models.map((model) => ({ ...model, limits: target.limits })));
  const all = models.flatMap(({ key }) => byModel.get(key) ?? []);
  const inTurn = (requests: number, limit: number): number =>
    Math.ceil(requests / Math.max(1, shareOfLimit(limit, share))) * assumedSeconds;
  const of = (which: keyof Range): number => {
    const sum = (some: readonly CellEstimate[], unit: 'requests' | 'tokens'): number =>
      sumOfRanges(some.map((amount) => amount[unit]))[which];
    return Math.max(
      inTurn(sum(all, 'requests'), limits.concurrency),
      waiting(sum(all, 'requests'), limits.requestsPerMinute, share),
      waiting(sum(all, 'tokens'), limits.tokensPerMinute, share),
      ...models.map(({ key, concurrency, limits: own }) =>
        inTurn(
          sum(byModel.get(key) ?? [], 'requests'),
          Math.min(concurrency ?? Infinity, own.concurrency, limits.concurrency),
        ),
      ),
    );
  };
  return { expected: of('expected'), largest: of('largest') };
}

/**
 * In seconds. A sliding window sends the first minute's worth at once, and each further one a minute later; a share of
 * less than one a minute makes the window longer.
 */
function waiting(amount: number, perMinute: number | null, share: number): number {
  if (perMinute === null || amount === 0) return 0;
  const most = shareOfLimit(perMinute, share);
  return most >= 1 ? (Math.ceil(amount / most) - 1) * 60 : Math.floor(((amount - 1) * 60) / (perMinute * share));
}
