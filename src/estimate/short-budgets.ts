import type { Budget } from '../config/config.js';
import { shareOfLimit } from '../config/share-of-limit.js';
import type { Amount } from './estimate.js';

/** A limit of the budget that the plan may reach. */
export interface ShortBudget {
  readonly unit: keyof Budget;
  /** The part of this shard. */
  readonly limit: number;
  /** Less than what is expected: the run will stop early. Less than the most: it will if many results surprise. */
  readonly below: 'expected' | 'largest';
}

/**
 * The limits that stop a run before everything is asked, surely or perhaps.
 * @param share the part of the budget that this run may use, above 0 and up to 1
 */
export function shortBudgets(amount: Amount, budget: Budget, share = 1): readonly ShortBudget[] {
  return (['requests', 'tokens', 'cost'] as const).flatMap((unit): readonly ShortBudget[] => {
    const [whole, range] = [budget[unit], amount[unit]];
    if (whole === null || range === null) return [];
    const limit = unit === 'cost' ? whole * share : shareOfLimit(whole, share);
    if (limit < range.expected) return [{ unit, limit, below: 'expected' }];
    return limit < range.largest ? [{ unit, limit, below: 'largest' }] : [];
  });
}
