import type { Expected } from '../../baseline/entries.js';
import { failsAsKnown } from '../../baseline/expected.js';
import type { Count } from '../../stats/count.js';
import type { Standing } from '../../cell/verdict.js';
import type { Finding, Suspicion } from '../../decide/course.js';
import type { Ticket } from '../../plan/ticket.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { type SequentialTest, stateOf } from '../../stats/sequential-test.js';

export interface CellStanding {
  readonly standing: Standing;
  /** Shown, but raises no alarm. */
  readonly unsettled: boolean;
  /** It passes more often than the baseline says, but not always: shown under rates. */
  readonly rate_change?: 'rose';
  /** Its own sample is enough for an alarm, which waits until the next run confirms it. */
  readonly waits?: true;
  /** Of a cell that may have been lucky when it was accepted: the fresh trials that show the drop, see `luckyDrops`. */
  readonly drop?: Count;
  /** Of an improved cell that is known to pass sometimes: its fresh passes, see `luckyRows`. */
  readonly passes_in_a_row?: number;
  /** What it shares with other cells of its model, which together prove it, see `sharedFailures`. */
  readonly shared?: Omit<SharedFailure, 'cells' | 'alarm'>;
  /**
   * Trials that do not count as known, since a failure that the cells of the model share is in doubt: those of all such
   * runs. None, once it is an alarm.
   */
  readonly held?: Count;
}

export const notJudged: CellStanding = { standing: null, unsettled: false };
export const asExpected: CellStanding = { standing: 'as_expected', unsettled: false };
export const rose: CellStanding = { ...asExpected, rate_change: 'rose' };

export type Apparent = Exclude<Suspicion, 'new'> | 'as_expected';

/** What the trials suggest in a run without fresh samples. One that now passes only sometimes is no improvement. */
export function apparentStanding(
  expected: Exclude<Expected, { kind: 'new' }>,
  finding: Finding,
  test: SequentialTest,
): Apparent {
  if (expected.kind === 'pass') return finding.verdict === 'pass' ? 'as_expected' : 'regression';
  const { passed, total } = finding.trials;
  if (passed > 0)
    return finding.verdict === 'pass' || stateOf(test, passed, total - passed) === 'reliable'
      ? 'improvement'
      : 'as_expected';
  return failsAsKnown(expected.entry, finding) ? 'as_expected' : 'changed';
}

/** A cell that passes from another value on than the baseline stores, with the trials that show it. */
export interface MovedThreshold {
  readonly suspicion: 'regression' | 'improvement';
  readonly passed: number;
  readonly total: number;
}

/** For runs without fresh samples; in the others the course itself rechecks a stored threshold. */
export function movedThreshold({ expected }: Ticket, { threshold }: Finding): MovedThreshold | null {
  const stored = expected.kind === 'pass' ? expected.threshold : null;
  const value = threshold?.value ?? null;
  if (threshold === null || stored === null || value === null || value === stored) return null;
  const there = threshold.curve.find(([x]) => x === stored);
  // A stored value outside the range of the search is ignored.
  if (there === undefined) return null;
  if (value > stored) return { suspicion: 'regression', passed: there[1], total: there[2] };
  const below = threshold.curve.findLast(([x]) => x < stored);
  return below ? { suspicion: 'improvement', passed: below[1], total: below[2] } : null;
}
