import type { Expected } from '../baseline/baseline.js';
import type { Finding } from '../decide/course.js';
import { defaultTest, evidenceOfBroken } from '../decide/sequential-test.js';
import type { Ticket } from '../plan/cell.js';
import type { ExpectedCell, Standing } from './report.js';
import { isJudged } from './judged.js';

export interface Stands {
  readonly standing: Standing;
  /** Shown, no alarm. */
  readonly unsettled: boolean;
}

/** Where a flaky cell's rate stands against the baseline, decided over all flaky cells of the run together. */
export type RateNews = 'worse' | 'better' | null;

const notJudged: Stands = { standing: null, unsettled: false };
const asExpected: Stands = { standing: 'as_expected', unsettled: false };

/** Straight trials without the expected result that a run without fresh samples takes for news. */
const enoughWithoutFreshSample = 3;

/**
 * How a cell stands against the baseline. Labels are never compared: a surprise counts when the fresh sample that the
 * course took for it confirmed it. Runs that take none (`smoke`, `--trials N`) raise an alarm only when every one of
 * at least three trials surprised, or when their likelihood alone reaches the alarm of a fresh sample; anything less
 * shows as unsettled.
 */
export function standingOf(ticket: Ticket, finding: Finding, plannedCells: number, rateNews: RateNews): Stands {
  if (!isJudged(finding)) return notJudged;
  const { expected } = ticket;
  switch (expected.kind) {
    case 'new':
      return { standing: 'new', unsettled: false };
    case 'pass':
      return surprising(expectedToPass(expected.threshold, finding), ticket, finding, plannedCells);
    case 'entry': {
      const { entry } = expected;
      if (entry.verdict === 'flaky') {
        if (rateNews === null) return asExpected;
        return { standing: rateNews === 'worse' ? 'regression' : 'improvement', unsettled: false };
      }
      if (finding.verdict !== 'fail') return surprising('improvement', ticket, finding, plannedCells);
      const same = entry.class === finding.class && entry.reason === finding.reason && entry.status === finding.status;
      return same ? asExpected : surprising('changed', ticket, finding, plannedCells);
    }
  }
}

function expectedToPass(threshold: number | null, finding: Finding): Exclude<Standing, 'new' | null> {
  if (finding.verdict !== 'pass') return 'regression';
  const found = finding.threshold?.value ?? null;
  if (threshold === null || found === null || finding.surprise === null) return 'as_expected';
  if (found > threshold) return 'regression';
  return found < threshold ? 'improvement' : 'as_expected';
}

function surprising(
  looksLike: Exclude<Standing, 'new' | null>,
  ticket: Ticket,
  finding: Finding,
  plannedCells: number,
): Stands {
  if (looksLike === 'as_expected') return asExpected;
  switch (finding.surprise) {
    case 'confirmed':
      return { standing: looksLike, unsettled: false };
    case 'cleared':
      return asExpected;
    case 'unsettled':
      return { standing: looksLike, unsettled: true };
    case null:
      return { standing: looksLike, unsettled: !speaksForItself(looksLike, ticket, finding, plannedCells) };
  }
}

function speaksForItself(
  looksLike: 'regression' | 'changed' | 'improvement',
  ticket: Ticket,
  finding: Finding,
  plannedCells: number,
): boolean {
  const { passed, total } = finding.trials;
  const surprised = looksLike === 'improvement' ? passed : total - passed;
  if (looksLike === 'changed') return surprised >= 2;
  if (surprised === total && total >= enoughWithoutFreshSample) return true;
  const { trials } = ticket;
  const broken = evidenceOfBroken(trials.kind === 'decided' ? trials : defaultTest, passed, total - passed);
  return surprised >= 2 && (looksLike === 'improvement' ? -broken : broken) >= Math.log(plannedCells / 0.05);
}

/** What the baseline says of a cell, as the report carries it. */
export function expectedCell(expected: Expected): ExpectedCell | null {
  const passing = {
    class: null,
    reason: null,
    status: null,
    passed: null,
    total: null,
    date: null,
    note: null,
    link: null,
  };
  switch (expected.kind) {
    case 'new':
      return null;
    case 'pass':
      return { verdict: 'pass', ...passing, threshold: expected.threshold };
    case 'entry': {
      const { verdict, reason, status, passed, total, date, note, link, threshold } = expected.entry;
      return { verdict, class: expected.entry.class, reason, status, passed, total, date, note, link, threshold };
    }
  }
}
