import { endOf } from '../chat/exchange.js';
import type { RecordedExchanges } from '../journal/recorded-exchanges.js';
import type { Plan } from '../plan/ticket.js';
import type { BudgetLedger } from './budget-ledger.js';
import type { TargetState } from './target-state.js';
import { createTokenEstimator, type TokenEstimator } from './token-estimator.js';

/**
 * Counts what earlier sessions of a resumed run sent, before anything is asked, so that budget and limits per minute hold
 * across a kill. What was in flight at a kill may have been answered and billed: it counts as it was reserved, and had been
 * sent, if at all, before its time-out was over.
 */
export async function countRecorded(
  recorded: RecordedExchanges,
  { tickets }: Plan,
  targets: ReadonlyMap<string, TargetState>,
  ledger: BudgetLedger,
): Promise<void> {
  const models = new Map<string, { readonly target: TargetState | undefined; readonly estimator: TokenEstimator }>();
  for (const { cell } of tickets) {
    const { key, target } = cell.model;
    if (!models.has(key)) models.set(key, { target: targets.get(target), estimator: createTokenEstimator(cell.model) });
  }
  for await (const { model, exchange } of recorded.exchanges()) {
    const known = models.get(model);
    const spent = known?.estimator.spent(exchange.request.body, exchange.answer);
    ledger.charge(spent ?? { tokens: 0, cost: 0 });
    known?.target?.shared.window.recall(endOf(exchange), spent?.tokens ?? 0);
  }
  for (const { model, at, tokens, cost } of recorded.lost) {
    ledger.charge({ tokens, cost });
    const { target } = models.get(model) ?? {};
    target?.shared.window.recall(Date.parse(at) + 1000 * target.config.limits.timeoutSeconds, tokens);
  }
}
