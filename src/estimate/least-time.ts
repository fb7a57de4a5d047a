import type { Limits } from '../config/config.js';
import type { Range } from './trial-count.js';

/** What one target is asked. */
export interface Load {
  readonly limits: Limits;
  readonly models: readonly {
    readonly concurrency: number | null;
    readonly requests: Range;
    readonly tokens: Range;
  }[];
}

/** Seconds that an answer is taken to need, since nobody can know. */
const assumedSeconds = 1;

/** Seconds below which the limits do not let the loads finish; targets are asked side by side. */
export function leastSeconds(loads: readonly Load[], which: keyof Range): number {
  return Math.max(0, ...loads.map((load) => ofTarget(load, which)));
}

function ofTarget({ limits, models }: Load, which: keyof Range): number {
  const requests = models.reduce((sum, model) => sum + model.requests[which], 0);
  const tokens = models.reduce((sum, model) => sum + model.tokens[which], 0);
  const byModel = models.map(
    ({ concurrency, requests: own }) =>
      Math.ceil(own[which] / Math.min(concurrency ?? Infinity, limits.concurrency)) * assumedSeconds,
  );
  return Math.max(
    Math.ceil(requests / limits.concurrency) * assumedSeconds,
    waiting(requests, limits.requestsPerMinute),
    waiting(tokens, limits.tokensPerMinute),
    ...byModel,
  );
}

/** A sliding minute lets the first minute's worth go at once, and every further one a minute later. */
function waiting(amount: number, perMinute: number | null): number {
  return perMinute === null || amount === 0 ? 0 : (Math.ceil(amount / perMinute) - 1) * 60;
}
