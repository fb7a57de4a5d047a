import type { BaselineEntry } from '../../baseline/entries.js';
import type { Ticket } from '../../plan/ticket.js';
import type { Suspicion } from '../course.js';
import type { SampledCell } from './sample.js';
import { tally } from './sequential.js';

/** What a result that contradicts the baseline may mean, and what the fresh sample counts to find out. */
export type BaselineDoubt =
  /** A cell that was expected to pass failed, or (`new`) one that the baseline does not cover. */
  | { readonly suspicion: Extract<Suspicion, 'regression' | 'new'>; readonly by: 'failures' }
  /** A cell that is known to fail passed. */
  | { readonly suspicion: 'improvement'; readonly by: 'passes' }
  /** It fails as expected, but with another class, reason or status than the baseline names. */
  | { readonly suspicion: 'changed'; readonly by: 'kind'; readonly entry: BaselineEntry }
  /** The baseline calls it flaky, and its rate may have moved. */
  | {
      readonly suspicion: Extract<Suspicion, 'regression' | 'improvement'>;
      readonly by: 'rate';
      readonly baseline: { readonly passed: number; readonly total: number };
    };

/** A flaky cell that passes this many trials without a failure may have improved. */
const trialsWithoutFailure = 10;

/** null: the result is as the baseline expects, or there is no verdict. */
export function baselineDoubt(ticket: Ticket, sampled: SampledCell): BaselineDoubt | null {
  const answers = sampled.sample.judged(sampled.isSameQuestion);
  const { passed, failed, total } = tally(answers, sampled.isGood);
  const { expected } = ticket;
  if (total === 0 || (failed === 0 && expected.kind !== 'entry')) return null;
  const finding = sampled.conclude();
  if (finding.verdict === 'inconclusive') return null;
  if (expected.kind !== 'entry') return { suspicion: expected.kind === 'new' ? 'new' : 'regression', by: 'failures' };

  const { entry } = expected;
  if (entry.verdict === 'flaky') {
    if (entry.passed === null || entry.total === null || entry.total === 0) return null;
    const baseline = { passed: entry.passed, total: entry.total };
    if (passed / total < baseline.passed / baseline.total) return { suspicion: 'regression', by: 'rate', baseline };
    if (failed === 0 && total >= trialsWithoutFailure) return { suspicion: 'improvement', by: 'rate', baseline };
    return null;
  }
  if (passed > 0) return { suspicion: 'improvement', by: 'passes' };
  const { class: failureClass, reason, status } = finding;
  const same = failureClass === entry.class && reason === entry.reason && status === entry.status;
  return same ? null : { suspicion: 'changed', by: 'kind', entry };
}
