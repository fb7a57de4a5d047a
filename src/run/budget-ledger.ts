import type { Budget } from '../config/config.js';
import type { BudgetUsedUp } from '../journal/stop.js';
import { shareOfLimit } from '../config/share-of-limit.js';
import type { Spending } from './token-estimator.js';

export interface Reservation {
  readonly kind: 'reserved';
  /** Replaces what was reserved by what the request really took. */
  settle(spent: Spending): void;
  /** Takes the reservation back: the request was not sent. */
  release(): void;
}

/** Requests, their tokens and what they cost in the currency of the configured prices. */
export interface Spent extends Spending {
  readonly requests: number;
}

/**
 * The hard limits of a whole run. A request is reserved before it is sent, so that even those in flight cannot exceed
 * them.
 */
export interface BudgetLedger {
  /** Reserves one request, or says which limit is used up. Waits while requests in flight may still give some back. */
  reserve(most: Spending): Reservation | BudgetUsedUp | Promise<Reservation | BudgetUsedUp>;
  /** Charges one request of the interrupted run that this one continues. */
  charge(spent: Spending): void;
  /** What has been charged so far, without what is only reserved. */
  spent(): Spent;
}

/** Without the rounding errors of sums. */
const rounded = (value: number): number => Number(value.toPrecision(12));

/** @param share the part of the budget that this run may use, above 0 and up to 1 */
export function createBudgetLedger(budget: Budget, share: number): BudgetLedger {
  const requests = budget.requests === null ? Infinity : shareOfLimit(budget.requests, share);
  const tokens = budget.tokens === null ? Infinity : shareOfLimit(budget.tokens, share);
  const cost = budget.cost === null ? Infinity : budget.cost * share;
  const used = { requests: 0, tokens: 0, cost: 0 };
  const held = { tokens: 0, cost: 0 };
  let inFlight = 0;
  let wakeUp: (() => void)[] = [];

  const settled = (most: Spending): void => {
    inFlight -= 1;
    held.tokens -= most.tokens;
    held.cost -= most.cost;
    const waiting = wakeUp;
    wakeUp = [];
    for (const wake of waiting) wake();
  };
  const add = (sign: 1 | -1, count: number, spending: Spending): void => {
    used.requests += sign * count;
    used.tokens += sign * spending.tokens;
    used.cost += sign * spending.cost;
  };
  const usedUp = (most: Spending): BudgetUsedUp | null => {
    const by = (unit: BudgetUsedUp['unit'], limit: number): BudgetUsedUp => ({
      ...{ kind: 'budget', unit, limit, shard_part: share < 1 },
    });
    const ofSpending = (unit: 'tokens' | 'cost', limit: number): BudgetUsedUp => ({
      ...{ ...by(unit, limit), spent: rounded(used[unit]), next: rounded(most[unit]) },
    });
    if (used.requests + 1 > requests) return by('requests', requests);
    if (used.tokens + most.tokens > tokens) return ofSpending('tokens', tokens);
    // Sums of decimal prices carry rounding errors of the order of 1e-16.
    if (used.cost + most.cost > cost * (1 + 1e-12)) return ofSpending('cost', cost);
    return null;
  };

  const reserved = (most: Spending): Reservation => {
    add(1, 1, most);
    inFlight += 1;
    held.tokens += most.tokens;
    held.cost += most.cost;
    return {
      kind: 'reserved',
      settle(spent) {
        add(-1, 0, most);
        add(1, 0, spent);
        settled(most);
      },
      release() {
        add(-1, 1, most);
        settled(most);
      },
    };
  };
  const reserve = (most: Spending): ReturnType<BudgetLedger['reserve']> => {
    const lacking = usedUp(most);
    if (lacking === null) return reserved(most);
    if (inFlight === 0) return lacking;
    return new Promise<void>((resolve) => wakeUp.push(resolve)).then(() => reserve(most));
  };

  return {
    reserve,
    charge: (spent) => {
      add(1, 1, spent);
    },
    spent: () => ({
      requests: used.requests - inFlight,
      tokens: used.tokens - held.tokens,
      cost: Math.max(0, used.cost - held.cost),
    }),
  };
}
