import { endOf } from '../chat/exchange.js';
import type { RecordedExchanges } from '../journal/read-journal.js';
import type { Plan } from '../plan/plan.js';
import type { createBudgetLedger } from './budget-ledger.js';
import type { ModelState, openTargets } from './target-state.js';
import { createTokenEstimator } from './token-estimator.js';

/**
 * Counts what earlier sessions of a resumed run sent, before anything is asked, so that budget and limits per minute
 * hold across a kill. What was in flight at a kill may have been answered and billed: it counts as it was reserved, and
 * had been sent, if at all, before its time-out was over.
 */
export async function countRecorded(
  recorded: RecordedExchanges,
  { cells }: Plan,
  targets: ReturnType<typeof openTargets>,
  ledger: ReturnType<typeof createBudgetLedger>,
): Promise<void> {
  type AskedBefore = Pick<ModelState, 'estimator' | 'model'> & { readonly target: ModelState['target'] | undefined };
  const models = new Map<string, AskedBefore>();
  for (const { cell } of cells) {
    const { key, target } = cell.model;
    const { model } = cell;
    if (!models.has(key)) {
      models.set(key, { model, target: targets.get(target), estimator: createTokenEstimator(model) });
    }
  }
  const recall = (known: AskedBefore | undefined, by: number, tokens: number): void => {
    known?.target?.shared.window.recall(by, tokens);
    known?.target?.shared.windowOf(known.model).recall(by, 0);
  };
  for await (const { model, exchange } of recorded.exchanges()) {
    const known = models.get(model);
    const spent = known?.estimator.spent(exchange.request.body, exchange.answer);
    ledger.charge(spent ?? { tokens: 0, cost: 0 });
    recall(known, endOf(exchange), spent?.tokens ?? 0);
  }
  for (const { model, at, tokens, cost } of recorded.lost) {
    ledger.charge({ tokens, cost });
    const known = models.get(model);
    recall(known, Date.parse(at) + 1000 * (known?.target?.config.limits.timeoutSeconds ?? 0), tokens);
  }
}
