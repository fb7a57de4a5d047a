import type { BaselineEntry } from '../../baseline/entries.js';
import { knowledgeOf, wellKnown } from '../../baseline/knowledge.js';
import type { Tally } from '../../baseline/learned.js';
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
  /**
   * It fails as expected, but with another class, reason or status than the baseline names.
   * `known` is null where the baseline knows the cell well.
   */
  | { readonly suspicion: 'changed'; readonly by: 'kind'; readonly entry: BaselineEntry; readonly known: Tally | null }
  /** Its rate may have moved: the baseline calls it flaky, or (`pooled`) earlier runs have shown how often it passes. */
  | {
      readonly suspicion: Extract<Suspicion, 'regression' | 'improvement'>;
      readonly by: 'rate';
      readonly baseline: Tally;
      readonly pooled: boolean;
    }
  /** The baseline knows it from few trials only, so nothing but a long row without the expected result is news. */
  | {
      readonly suspicion: Extract<Suspicion, 'regression' | 'improvement'>;
      readonly by: 'row';
      readonly known: Tally;
    };

/** A flaky cell that passes this many trials without a failure may have improved. */
const trialsWithoutFailure = 10;

/** null: the result is as the baseline expects, or there is no verdict. */
export function baselineDoubt(ticket: Ticket, sampled: SampledCell): BaselineDoubt | null {
  const answers = sampled.sample.judged(sampled.isSameQuestion);
  const now = tally(answers, sampled.isGood);
  const { expected } = ticket;
  if (now.total === 0 || (now.failed === 0 && expected.kind !== 'entry')) return null;
  const finding = sampled.conclude();
  if (finding.verdict === 'inconclusive') return null;
  if (expected.kind === 'new') return { suspicion: 'new', by: 'failures' };

  const known = knowledgeOf(expected);
  if (expected.kind === 'pass') {
    return known === null ? { suspicion: 'regression', by: 'failures' } : regressionDoubt(known, now);
  }
  const { entry } = expected;
  if (entry.verdict === 'flaky') return rateDoubt(entry, known, now);
  if (now.passed > 0) {
    if (known === null) return { suspicion: 'improvement', by: 'passes' };
    // Once it is known to pass sometimes, that it does is no news.
    return known.passed > 0 ? null : { suspicion: 'improvement', by: 'row', known };
  }
  const { class: failureClass, reason, status } = finding;
  const same = failureClass === entry.class && reason === entry.reason && status === entry.status;
  return same ? null : { suspicion: 'changed', by: 'kind', entry, known };
}

/** A cell that is expected to pass, which the baseline knows from few trials, failed. */
function regressionDoubt(known: Tally, now: Tally): BaselineDoubt | null {
  if (known.total < wellKnown) return { suspicion: 'regression', by: 'row', known };
  const isWorse = now.passed / now.total < known.passed / known.total;
  return isWorse ? { suspicion: 'regression', by: 'rate', baseline: known, pooled: true } : null;
}

function rateDoubt(
  { passed, total }: BaselineEntry,
  known: Tally | null,
  now: Tally & { readonly failed: number },
): BaselineDoubt | null {
  if (passed === null || total === null || total === 0) return null;
  if (known !== null && known.total < wellKnown) {
    return now.passed > 0 ? null : { suspicion: 'regression', by: 'row', known };
  }
  const compared = { by: 'rate', baseline: known ?? { passed, total }, pooled: known !== null } as const;
  if (now.passed / now.total < compared.baseline.passed / compared.baseline.total) {
    return { suspicion: 'regression', ...compared };
  }
  return now.failed === 0 && now.total >= trialsWithoutFailure ? { suspicion: 'improvement', ...compared } : null;
}
