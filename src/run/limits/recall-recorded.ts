import { endOf } from '../../chat/exchange.js';
import type { RecordedExchanges } from '../../journal/recorded-exchanges.js';
import type { TargetState } from '../target-state.js';
import { isRateLimited } from './rate-window.js';
import { billedUsage, createTokenEstimator } from './token-estimator.js';

/**
 * Counts what earlier sessions of a resumed run sent, so that the limits per minute hold across a kill. An exchange had
 * arrived before it ended. What was in flight at a kill had been sent, if at all, before its time-out was over.
 */
export async function recallRecorded(
  recorded: RecordedExchanges,
  targets: ReadonlyMap<string, TargetState>,
): Promise<void> {
  const all = [...targets.values()];
  if (!all.some(({ config }) => isRateLimited(config.limits))) return;
  const models = new Map(
    all.flatMap((target) =>
      target.config.models.map((model) => [model.key, { target, estimator: createTokenEstimator(model) }] as const),
    ),
  );
  for await (const { model, exchange } of recorded.exchanges()) {
    const known = models.get(model);
    if (known === undefined) continue;
    const { tokens } = known.estimator.spent(exchange.request.body, billedUsage(exchange.answer));
    known.target.window.recall(endOf(exchange), tokens);
  }
  for (const { model, at, tokens } of recorded.lost) {
    const target = models.get(model)?.target;
    target?.window.recall(Date.parse(at) + 1000 * target.config.limits.timeoutSeconds, tokens);
  }
}
