import type { Ticket } from '../../plan/ticket.js';
import type { Purse } from './budget-ledger.js';
import { billedUsage, createTokenEstimator, type TokenEstimator } from './token-estimator.js';
import type { Recorded } from '../../journal/recorded-run.js';

/**
 * Charges a resumed run with all that it had spent, before anything is asked: a model that has nothing to look up in
 * the journal would else spend what others have used up already.
 */
export async function chargeRecorded(recorded: Recorded, tickets: readonly Ticket[], purse: Purse): Promise<void> {
  const estimators = new Map<string, TokenEstimator>();
  for (const { cell } of tickets) {
    if (!estimators.has(cell.model.key)) estimators.set(cell.model.key, createTokenEstimator(cell.model));
  }
  for await (const { model, exchange } of recorded.exchanges()) {
    const usage = billedUsage(exchange.answer);
    purse.charge(estimators.get(model)?.spent(exchange.request.body, usage) ?? { tokens: 0, cost: 0 });
  }
}
