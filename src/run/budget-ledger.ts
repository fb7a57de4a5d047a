import { shareOfLimit } from '../config/accounts.js';
import type { Budget } from '../config/config.js';
import type { BudgetUsedUp } from '../journal/event.js';

/** The part of the budget that a request takes. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the configured prices. */
  readonly cost: number;
}

interface Reservation {
  readonly kind: 'reserved';
  /** Replaces what was reserved by what the request really took. */
  settle(spent: Spending): void;
  /** Takes the reservation back: the request was not sent. */
  release(): void;
}

/** Without the rounding errors of sums. */
const roundedSpend = (value: number): number => Number(value.toPrecision(12));

/**
 * The hard limits of a whole run. A request is reserved before it is sent, so that even those in flight cannot exceed
 * them.
 * @param share the part of the budget that this run may use, above 0 and up to 1
 */
export function createBudgetLedger(budget: Budget, share: number) {
  const limits = {
    requests: budget.requests === null ? Infinity : shareOfLimit(budget.requests, share),
    tokens: budget.tokens === null ? Infinity : shareOfLimit(budget.tokens, share),
    cost: budget.cost === null ? Infinity : budget.cost * share,
  };
  const used = { requests: 0, tokens: 0, cost: 0 };
  /** Of requests in flight. */
  const held = { requests: 0, tokens: 0, cost: 0 };
  let wakeUp: (() => void)[] = [];

  const add = (to: typeof used, { tokens, cost }: Spending, sign: 1 | -1 = 1): void => {
    to.requests += sign;
    to.tokens += sign * tokens;
    to.cost += sign * cost;
  };
  const giveBack = (most: Spending): void => {
    add(held, most, -1);
    const waiting = wakeUp;
    wakeUp = [];
    for (const wake of waiting) wake();
  };
  const usedUp = (most: Spending): BudgetUsedUp | null => {
    const next = { requests: 1, ...most };
    for (const unit of ['requests', 'tokens', 'cost'] as const) {
      const limit = limits[unit];
      // Sums of decimal prices carry rounding errors of the order of 1e-16.
      if (used[unit] + held[unit] + next[unit] <= limit * (1 + 1e-12)) continue;
      const reason = { kind: 'budget', unit, limit, shard_part: share < 1 } as const;
      return unit === 'requests'
        ? reason
        : { ...reason, spent: roundedSpend(used[unit]), next: roundedSpend(next[unit]) };
    }
    return null;
  };
  type Reserved = Reservation | BudgetUsedUp;
  /** Reserves one request, or says which limit is used up. Waits while requests in flight may still give some back. */
  const reserve = (most: Spending): Reserved | Promise<Reserved> => {
    const lacking = usedUp(most);
    if (lacking !== null) {
      if (held.requests === 0) return lacking;
      return new Promise<void>((resolve) => wakeUp.push(resolve)).then(() => reserve(most));
    }
    add(held, most);
    return {
      kind: 'reserved',
      settle(spent) {
        add(used, spent);
        giveBack(most);
      },
      release: () => giveBack(most),
    };
  };

  return {
    reserve,
    /** Charges one request of the interrupted run that this one continues. */
    charge: (spent: Spending): void => add(used, spent),
  };
}
