import type { Expected } from '../../baseline/entries.js';
import { failsAsKnown } from '../../baseline/expected.js';
import type { Finding, Suspicion } from '../../decide/course.js';
import { alarmBoundary } from '../../decide/false-alarms.js';
import { defaultTest, evidenceOfBroken } from '../../stats/sequential-test.js';
import type { Ticket } from '../../plan/ticket.js';
import { isJudged, type Standing } from '../../cell/verdict.js';
import type { ExpectedCell } from '../report-format.js';

export interface CellStanding {
  readonly standing: Standing;
  /** Shown, but raises no alarm. */
  readonly unsettled: boolean;
}

const notJudged: CellStanding = { standing: null, unsettled: false };
const asExpected: CellStanding = { standing: 'as_expected', unsettled: false };

/** This many trials, all without the expected result, raise an alarm in a run without fresh samples. */
const enoughWithoutFreshSample = 3;

/**
 * How a cell compares with the baseline. Verdicts are never compared as such: a difference counts when a fresh sample
 * confirmed it. Runs without fresh samples (`smoke`, `--trials N`) raise an alarm only when all of at least three trials
 * contradict the baseline, or when their likelihood alone would be enough for an alarm; anything less is unsettled. A
 * cell that the baseline calls flaky is decided by `rateChange`, over all such cells together.
 */
export function standingOf(
  ticket: Ticket,
  finding: Finding,
  plannedCells: number,
  rateChange: 'regression' | 'improvement' | null,
): CellStanding {
  if (!isJudged(finding)) return notJudged;
  const { expected } = ticket;
  if (expected.kind === 'new') return { standing: 'new', unsettled: finding.surprise === 'unsettled' };
  if (expected.kind === 'entry' && expected.entry.verdict === 'flaky' && finding.surprise !== 'unsettled') {
    return rateChange === null ? asExpected : { standing: rateChange, unsettled: false };
  }
  switch (finding.surprise) {
    case 'confirmed':
      return { standing: finding.fresh?.suspicion ?? apparentStanding(expected, finding), unsettled: false };
    case 'unsettled':
      return { standing: finding.fresh?.suspicion ?? apparentStanding(expected, finding), unsettled: true };
    case 'cleared':
      return asExpected;
    case null: {
      if (ticket.confirm) return asExpected;
      const apparent = apparentStanding(expected, finding);
      const moved = apparent === 'as_expected' ? movedThreshold(ticket, finding) : null;
      const suspicion = moved?.suspicion ?? apparent;
      if (suspicion === 'as_expected') return asExpected;
      const settled = isConclusive(suspicion, ticket, moved ?? finding.trials, plannedCells);
      return { standing: suspicion, unsettled: !settled };
    }
  }
}

type Apparent = Exclude<Suspicion, 'new'> | 'as_expected';

/** What the trials suggest in a run without fresh samples. */
function apparentStanding(expected: Exclude<Expected, { kind: 'new' }>, finding: Finding): Apparent {
  if (expected.kind === 'pass') return finding.verdict === 'pass' ? 'as_expected' : 'regression';
  if (finding.verdict !== 'fail') return 'improvement';
  return failsAsKnown(expected.entry, finding) ? 'as_expected' : 'changed';
}

function isConclusive(
  suspicion: Exclude<Apparent, 'as_expected'>,
  { trials }: Ticket,
  { passed, total }: { readonly passed: number; readonly total: number },
  plannedCells: number,
): boolean {
  const contradicting = suspicion === 'improvement' ? passed : total - passed;
  if (contradicting === total && total >= enoughWithoutFreshSample) return true;
  if (suspicion === 'changed') return false;
  const broken = evidenceOfBroken(
    trials.kind === 'decided' ? trials : defaultTest,
    ...(suspicion === 'improvement' ? ([total - passed, passed] as const) : ([passed, total - passed] as const)),
  );
  return contradicting >= 2 && broken >= alarmBoundary(plannedCells);
}

/** A cell that passes from another value on than the baseline stores, with the trials that show it. */
interface MovedThreshold {
  readonly suspicion: 'regression' | 'improvement';
  readonly passed: number;
  readonly total: number;
}

/** For runs without fresh samples; in the others the course itself rechecks a stored threshold. */
function movedThreshold({ expected }: Ticket, { threshold }: Finding): MovedThreshold | null {
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

/** What the baseline expects of a cell, as written in the report. */
export function expectedCell(expected: Expected): ExpectedCell | null {
  switch (expected.kind) {
    case 'new':
      return null;
    case 'pass':
      return { ...nothingNamed, verdict: 'pass', threshold: expected.threshold, ...trialsOf(expected) };
    case 'entry': {
      const { verdict, reason, status, passed, total, date, note, link, threshold } = expected.entry;
      return {
        verdict,
        class: expected.entry.class,
        reason,
        status,
        passed,
        total,
        date,
        note,
        link,
        threshold,
        ...trialsOf(expected),
      };
    }
  }
}

function trialsOf({ trials }: Exclude<Expected, { kind: 'new' }>): Pick<ExpectedCell, 'trials'> {
  return trials === undefined ? {} : { trials };
}

const nothingNamed = {
  ...{ class: null, reason: null, status: null, passed: null, total: null, date: null, note: null, link: null },
};
