import type { BaselineEntry } from '../../baseline/entries.js';
import { countsOf, knowledgeOf, trialsOfKind, wellKnown } from '../../baseline/knowledge.js';
import type { Count } from '../../stats/count.js';
import type { Ticket } from '../../plan/ticket.js';
import type { Suspicion } from '../course.js';
import { passesToImprove } from '../improvement.js';
import type { SampledCell } from './sample.js';
import { tally } from './sequential.js';

/** What a result that contradicts the baseline may mean, and what the fresh sample counts to find out. */
export type BaselineDoubt =
  /** A cell that was expected to pass failed, or (`new`) one that the baseline does not cover. */
  | { readonly suspicion: Extract<Suspicion, 'regression' | 'new'>; readonly by: 'failures' }
  /** A cell that is known to fail passed. */
  | { readonly suspicion: 'improvement'; readonly by: 'passes' }
  /** A cell that is known to pass only sometimes passed every time; `row`: the passes that would show that it always does. */
  | { readonly suspicion: 'improvement'; readonly by: 'passing'; readonly row: number }
  /**
   * It fails as expected, but with another class, reason or status than the baseline names.
   * `known`: from so many trials; null where the baseline knows the cell well.
   */
  | { readonly suspicion: 'changed'; readonly by: 'kind'; readonly entry: BaselineEntry; readonly known: number | null }
  /** It may pass less often: the baseline calls it flaky, or (`pooled`) earlier runs have shown how often it passes. */
  | {
      readonly suspicion: Extract<Suspicion, 'regression'>;
      readonly by: 'rate';
      readonly baseline: Count;
      readonly pooled: boolean;
      /** The known counts are those of one among so many values, chosen for having passed; absent: nothing was chosen. */
      readonly chosenFrom?: number;
    }
  /** The baseline knows it from few trials only, so nothing but a long row without the expected result is news. */
  | {
      readonly suspicion: Extract<Suspicion, 'regression' | 'improvement'>;
      readonly by: 'row';
      readonly known: Count;
    };

/**
 * null: the result is as the baseline expects, or there is no verdict. That a cell dropped in the run before is a doubt by
 * itself, so that trials which pass do not end it.
 */
export function baselineDoubt(ticket: Ticket, sampled: SampledCell, plannedCells: number): BaselineDoubt | null {
  const answers = sampled.sample.judged(sampled.isSameQuestion);
  const now = tally(answers, sampled.isGood);
  const { expected, dropped = false } = ticket;
  const isAsEver = expected.kind === 'new' || (expected.kind === 'pass' && !dropped);
  if (now.total === 0 || (now.failed === 0 && isAsEver)) return null;
  const finding = sampled.conclude();
  if (finding.verdict === 'inconclusive') return null;
  if (expected.kind === 'new') return { suspicion: 'new', by: 'failures' };

  const known = knowledgeOf(expected);
  if (expected.kind === 'pass') {
    return known === null ? { suspicion: 'regression', by: 'failures' } : regressionDoubt(known, now, dropped);
  }
  const { entry } = expected;
  if (entry.verdict === 'flaky') return rateDoubt(entry, known, now, { plannedCells, dropped });
  if (now.passed > 0) {
    if (known === null) return { suspicion: 'improvement', by: 'passes' };
    // Once it is known to pass sometimes, that it does is no news, but that it always does is.
    return known.passed > 0 ? passingDoubt(known, now, plannedCells) : { suspicion: 'improvement', by: 'row', known };
  }
  const { class: failureClass, reason, status } = finding;
  const same = failureClass === entry.class && reason === entry.reason && status === entry.status;
  return same ? null : { suspicion: 'changed', by: 'kind', entry, known: trialsOfKind(expected) };
}

/** A cell that is expected to pass, which the baseline knows from few trials, failed now or dropped before. */
function regressionDoubt(
  known: Count,
  now: Count & { readonly failed: number },
  dropped: boolean,
): BaselineDoubt | null {
  if (known.total < wellKnown) return now.failed === 0 ? null : { suspicion: 'regression', by: 'row', known };
  const isWorse = dropped || now.passed / now.total < known.passed / known.total;
  return isWorse ? { suspicion: 'regression', by: 'rate', baseline: known, pooled: true } : null;
}

function rateDoubt(
  entry: BaselineEntry,
  known: Count | null,
  now: Now,
  { plannedCells, dropped }: { readonly plannedCells: number; readonly dropped: boolean },
): BaselineDoubt | null {
  const counted = countsOf(entry);
  if (counted === null) return null;
  const baseline = known ?? counted;
  if (now.failed === 0 && !dropped) return passingDoubt(baseline, now, plannedCells);
  if (known !== null && known.total < wellKnown) {
    return now.passed > 0 ? null : { suspicion: 'regression', by: 'row', known };
  }
  const isWorse = dropped || now.passed / now.total < baseline.passed / baseline.total;
  return isWorse ? { suspicion: 'regression', by: 'rate', baseline, pooled: known !== null } : null;
}

/** A cell that is known to pass only sometimes may pass always. */
function passingDoubt(known: Count, { failed }: Now, plannedCells: number): BaselineDoubt | null {
  const row = failed > 0 ? null : passesToImprove(known, plannedCells);
  return row === null ? null : { suspicion: 'improvement', by: 'passing', row };
}

type Now = Count & { readonly failed: number };
