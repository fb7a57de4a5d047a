import { strictest } from '../config/accounts.js';
import type { Limits, TargetConfig } from '../config/config.js';
import { shareOfLimit } from '../config/share-of-limit.js';
import { groupBy } from '../json/group-by.js';
import { sum, type Range } from './amount.js';
import type { CellEstimate, Sending } from './estimate-cell.js';

/** The least time in which the limits of the targets let all of this finish, in seconds. */
export function leastTime(targets: readonly TargetConfig[], amounts: readonly CellEstimate[], sending: Sending): Range {
  const loads = loadsOf(targets, amounts, sending);
  return { expected: leastSeconds(loads, 'expected'), largest: leastSeconds(loads, 'largest') };
}

function loadsOf(
  targets: readonly TargetConfig[],
  amounts: readonly CellEstimate[],
  { accounts, shards = 1 }: Sending,
): readonly Load[] {
  const byModel = groupBy(amounts, ({ model }) => model);
  // A target that is asked nothing does not hold back the others of its account.
  const asked = targets.filter(({ models }) => models.some(({ key }) => byModel.has(key)));
  return [...groupBy(asked, ({ name }) => accounts?.get(name) ?? name).values()].flatMap((ofAccount) => {
    const [first] = ofAccount;
    if (first === undefined) return [];
    const limits = ofAccount.map((target) => target.limits).reduce(strictest, first.limits);
    const models = ofAccount.flatMap((target) =>
      target.models.map((model) => {
        const own = byModel.get(model.key) ?? [];
        return {
          concurrency: Math.min(model.concurrency ?? Infinity, target.limits.concurrency),
          requests: sum(own.map(({ requests }) => requests)),
          tokens: sum(own.map(({ tokens }) => tokens)),
        };
      }),
    );
    return [{ limits, models, share: 1 / shards }];
  });
}

/** What is sent to one account. */
interface Load {
  readonly limits: Limits;
  /** The part of the limits that may be used. */
  readonly share: number;
  readonly models: readonly {
    readonly concurrency: number;
    readonly requests: Range;
    readonly tokens: Range;
  }[];
}

/** Seconds that an answer is assumed to take, since that cannot be known in advance. */
const assumedSeconds = 1;

/** The least time in which the limits let the loads finish, in seconds; accounts are asked side by side. */
function leastSeconds(loads: readonly Load[], which: keyof Range): number {
  return Math.max(0, ...loads.map((load) => ofAccount(load, which)));
}

function ofAccount({ limits, models, share }: Load, which: keyof Range): number {
  const requests = models.reduce((sum, model) => sum + model.requests[which], 0);
  const tokens = models.reduce((sum, model) => sum + model.tokens[which], 0);
  const atOnce = (limit: number): number => Math.max(1, shareOfLimit(limit, share));
  const byModel = models.map(
    ({ concurrency, requests: own }) =>
      Math.ceil(own[which] / atOnce(Math.min(concurrency, limits.concurrency))) * assumedSeconds,
  );
  return Math.max(
    Math.ceil(requests / atOnce(limits.concurrency)) * assumedSeconds,
    waiting(requests, limits.requestsPerMinute, share),
    waiting(tokens, limits.tokensPerMinute, share),
    ...byModel,
  );
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
