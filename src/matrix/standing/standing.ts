import type { Expected } from '../../baseline/entries.js';
import { failsAsKnown } from '../../baseline/expected.js';
import type { Finding, Suspicion } from '../../decide/course.js';
import { alarmBoundary } from '../../decide/false-alarms.js';
import { defaultTest, evidenceOfBroken } from '../../stats/sequential-test.js';
import type { Ticket } from '../../plan/ticket.js';
import { isJudged, type Standing } from '../../cell/verdict.js';
import { movedThreshold } from './moved-threshold.js';
import type { ExpectedCell } from '../report-format.js';

export interface Stands {
  readonly standing: Standing;
  /** Shown, no alarm. */
  readonly unsettled: boolean;
}

const notJudged: Stands = { standing: null, unsettled: false };
const asExpected: Stands = { standing: 'as_expected', unsettled: false };

/** Straight trials without the expected result that a run without fresh samples takes for news. */
const enoughWithoutFreshSample = 3;

/**
 * How a cell stands against the baseline. Labels are never compared: a surprise counts when the fresh sample that the
 * course took for it confirmed it. Runs that take none (`smoke`, `--trials N`) raise an alarm only when every one of
 * at least three trials surprised, or when their likelihood alone reaches the alarm of a fresh sample; anything less
 * shows as unsettled. A cell that the baseline calls flaky is decided by `rateNews`, over all such cells together.
 */
export function standingOf(
  ticket: Ticket,
  finding: Finding,
  plannedCells: number,
  rateNews: 'regression' | 'improvement' | null,
): Stands {
  if (!isJudged(finding)) return notJudged;
  const { expected } = ticket;
  if (expected.kind === 'new') return { standing: 'new', unsettled: finding.surprise === 'unsettled' };
  if (expected.kind === 'entry' && expected.entry.verdict === 'flaky' && finding.surprise !== 'unsettled') {
    return rateNews === null ? asExpected : { standing: rateNews, unsettled: false };
  }
  switch (finding.surprise) {
    case 'confirmed':
      return { standing: finding.fresh?.suspicion ?? looksLike(expected, finding), unsettled: false };
    case 'unsettled':
      return { standing: finding.fresh?.suspicion ?? looksLike(expected, finding), unsettled: true };
    case 'cleared':
      return asExpected;
    case null: {
      if (ticket.confirm) return asExpected;
      const looks = looksLike(expected, finding);
      const moved = looks === 'as_expected' ? movedThreshold(ticket, finding) : null;
      const suspicion = moved?.suspicion ?? looks;
      if (suspicion === 'as_expected') return asExpected;
      const settled = speaksForItself(suspicion, ticket, moved ?? finding.trials, plannedCells);
      return { standing: suspicion, unsettled: !settled };
    }
  }
}

type Looks = Exclude<Suspicion, 'new'> | 'as_expected';

/** What the trials of a run without fresh samples suggest. */
function looksLike(expected: Exclude<Expected, { kind: 'new' }>, finding: Finding): Looks {
  if (expected.kind === 'pass') return finding.verdict === 'pass' ? 'as_expected' : 'regression';
  if (finding.verdict !== 'fail') return 'improvement';
  return failsAsKnown(expected.entry, finding) ? 'as_expected' : 'changed';
}

function speaksForItself(
  suspicion: Exclude<Looks, 'as_expected'>,
  { trials }: Ticket,
  { passed, total }: { readonly passed: number; readonly total: number },
  plannedCells: number,
): boolean {
  const surprised = suspicion === 'improvement' ? passed : total - passed;
  if (surprised === total && total >= enoughWithoutFreshSample) return true;
  if (suspicion === 'changed') return false;
  const broken = evidenceOfBroken(
    trials.kind === 'decided' ? trials : defaultTest,
    ...(suspicion === 'improvement' ? ([total - passed, passed] as const) : ([passed, total - passed] as const)),
  );
  return surprised >= 2 && broken >= alarmBoundary(plannedCells);
}

/** What the baseline says of a cell, as the report carries it. */
export function expectedCell(expected: Expected): ExpectedCell | null {
  switch (expected.kind) {
    case 'new':
      return null;
    case 'pass':
      return { ...nothingNamed, verdict: 'pass', threshold: expected.threshold };
    case 'entry': {
      const { verdict, reason, status, passed, total, date, note, link, threshold } = expected.entry;
      return { verdict, class: expected.entry.class, reason, status, passed, total, date, note, link, threshold };
    }
  }
}

const nothingNamed = {
  ...{ class: null, reason: null, status: null, passed: null, total: null, date: null, note: null, link: null },
};
