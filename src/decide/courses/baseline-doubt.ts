import type { BaselineEntry } from '../../baseline/entries.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Ticket } from '../../plan/ticket.js';
import type { Suspicion } from '../course.js';
import { counted } from './sequential.js';
import type { Sampled } from './sample.js';

/** What a result may mean against the baseline, and how a fresh sample looks into it. */
export type Doubt =
  /** A covered cell failed, or (`new`) one that nobody has looked at. */
  | { readonly suspicion: Extract<Suspicion, 'regression' | 'new'>; readonly by: 'failures' }
  /** A cell that is known to fail passed. */
  | { readonly suspicion: 'improvement'; readonly by: 'passes' }
  /** It fails as known, but in a way the baseline does not name. */
  | { readonly suspicion: 'changed'; readonly by: 'ways'; readonly entry: BaselineEntry }
  /** The baseline calls it flaky, and its rate may have moved. */
  | {
      readonly suspicion: Extract<Suspicion, 'regression' | 'improvement'>;
      readonly by: 'rate';
      readonly baseline: { readonly passed: number; readonly total: number };
    };

/** A flaky cell that does not fail once in so many trials may have become better. */
const trialsThatPromise = 10;

/** null: the result is what the baseline leads to expect, or judges nothing. */
export function doubtOf(ticket: Ticket, sampled: Sampled): Doubt | null {
  const answers = sampled.sample.judged(sampled.concerns);
  const { passed, failed, total } = counted(answers, sampled.good);
  const { expected } = ticket;
  if (total === 0 || (failed === 0 && expected.kind !== 'entry')) return null;
  if (sampled.conclude().verdict === 'inconclusive') return null;
  if (expected.kind !== 'entry') return { suspicion: expected.kind === 'new' ? 'new' : 'regression', by: 'failures' };

  const { entry } = expected;
  if (entry.verdict === 'flaky') {
    if (entry.passed === null || entry.total === null || entry.total === 0) return null;
    const baseline = { passed: entry.passed, total: entry.total };
    if (passed / total < baseline.passed / baseline.total) return { suspicion: 'regression', by: 'rate', baseline };
    if (failed === 0 && total >= trialsThatPromise) return { suspicion: 'improvement', by: 'rate', baseline };
    return null;
  }
  if (passed > 0) return { suspicion: 'improvement', by: 'passes' };
  const { class: shown, reason, status } = sampled.conclude();
  const same = shown === entry.class && reason === entry.reason && status === entry.status;
  return same ? null : { suspicion: 'changed', by: 'ways', entry };
}

/** What the entry leaves open is not compared. */
export function isKnownWay(outcome: Outcome, entry: BaselineEntry): boolean {
  if (outcome.passed) return false;
  return (['class', 'reason', 'status'] as const).every(
    (field) => entry[field] === null || entry[field] === outcome[field],
  );
}
