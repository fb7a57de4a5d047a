import type { Budget } from '../../config/config.js';
import type { Spending } from './token-estimator.js';
import { wholePart } from './whole-part.js';

export interface Reservation {
  /** What it really took, in place of what was reserved. */
  settle(spent: Spending): void;
  /** The request was not sent after all. */
  release(): void;
}

/** The hard limits of a whole run: reserved before sending, so that what is in flight can never exceed them. */
export interface Purse {
  /** A reservation, or why there is none. Waits while requests in flight may still give something back. */
  reserve(most: Spending): Promise<Reservation | string>;
  /** An exchange of the interrupted run that is carried on. */
  charge(spent: Spending): void;
  /** Whether tokens or cost are limited, so that a service which ignores `max_tokens` would break the limit. */
  readonly countsTokens: boolean;
}

/** @param share the part of the budget that this run may use, above 0 and up to 1 */
export function createPurse(budget: Budget, share: number): Purse {
  const requests = budget.requests === null ? Infinity : wholePart(budget.requests, share);
  const tokens = budget.tokens === null ? Infinity : wholePart(budget.tokens, share);
  const cost = budget.cost === null ? Infinity : budget.cost * share;
  const used = { requests: 0, tokens: 0, cost: 0 };
  let inFlight = 0;
  let wakeUp: (() => void)[] = [];

  const settled = (): void => {
    inFlight -= 1;
    const waiting = wakeUp;
    wakeUp = [];
    for (const wake of waiting) wake();
  };
  const add = (sign: 1 | -1, count: number, spending: Spending): void => {
    used.requests += sign * count;
    used.tokens += sign * spending.tokens;
    used.cost += sign * spending.cost;
  };
  const lacking = (most: Spending): string | null => {
    if (used.requests + 1 > requests) return said(requests, 'requests', share);
    if (used.tokens + most.tokens > tokens) return said(tokens, 'tokens', share);
    // Sums of decimal prices carry rounding errors of the order of 1e-16.
    if (used.cost + most.cost > cost * (1 + 1e-12)) return `cost ${said(cost, '', share)}`;
    return null;
  };

  return {
    async reserve(most) {
      for (;;) {
        const lack = lacking(most);
        if (lack === null) break;
        if (inFlight === 0) return lack;
        await new Promise<void>((resolve) => wakeUp.push(resolve));
      }
      add(1, 1, most);
      inFlight += 1;
      return {
        settle(spent) {
          add(-1, 0, most);
          add(1, 0, spent);
          settled();
        },
        release() {
          add(-1, 1, most);
          settled();
        },
      };
    },
    charge: (spent) => {
      add(1, 1, spent);
    },
    countsTokens: budget.tokens !== null || budget.cost !== null,
  };
}

function said(limit: number, unit: string, share: number): string {
  const whose = share < 1 ? " (this shard's part)" : '';
  return `budget of ${[String(limit), unit].filter((word) => word !== '').join(' ')}${whose} used up`;
}
