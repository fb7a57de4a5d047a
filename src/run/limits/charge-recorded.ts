import type { Answer } from '../../chat/exchange.js';
import type { Ticket } from '../../plan/ticket.js';
import { type AnswerFacts, factsOf } from '../answer-facts.js';
import type { Purse } from './budget-ledger.js';
import { createEstimator, type Estimator } from './token-estimator.js';
import type { Recorded } from '../../journal/recorded-run.js';

/**
 * Charges a resumed run with all that it had spent, before anything is asked: a model that has nothing to look up in
 * the journal would else spend what others have used up already.
 */
export async function chargeRecorded(recorded: Recorded, tickets: readonly Ticket[], purse: Purse): Promise<void> {
  const estimators = new Map<string, Estimator>();
  for (const { cell } of tickets) {
    if (!estimators.has(cell.model.key)) estimators.set(cell.model.key, createEstimator(cell.model));
  }
  for await (const { model, exchange } of recorded.exchanges()) {
    const usage = paidUsage(exchange.answer, factsOf(exchange.answer));
    purse.charge(estimators.get(model)?.spent(exchange.request.body, usage) ?? { tokens: 0, cost: 0 });
  }
}

/** A refusal costs nothing; an answer that tells nothing may have cost what was expected. */
export function paidUsage(answer: Answer, facts: AnswerFacts): AnswerFacts['usage'] {
  const refused = answer.status !== null && (answer.status < 200 || answer.status >= 300);
  const neverSent =
    answer.status === null &&
    ['connection_refused', 'dns', 'tls', 'connect_timeout'].includes(answer.failure?.kind ?? '');
  return facts.usage ?? (refused || neverSent ? { prompt: 0, completion: 0 } : null);
}
