import type { BaselineEntry, Expected } from '../../baseline/entries.js';
import { countsOf, knowledgeOf } from '../../baseline/knowledge.js';
import type { Finding } from '../../decide/course.js';
import { alarmBoundary } from '../../decide/false-alarms.js';
import { isRowOfPasses, passesSometimes } from '../../decide/improvement.js';
import { testOf } from '../../decide/courses/sequential.js';
import { evidenceOfBroken } from '../../stats/sequential-test.js';
import type { Ticket } from '../../plan/ticket.js';
import { isJudged } from '../../cell/verdict.js';
import type { ExpectedCell } from '../report-format.js';
import {
  type Apparent,
  apparentStanding,
  asExpected,
  type CellStanding,
  movedThreshold,
  notJudged,
  rose,
} from './apparent-standing.js';
import type { RateChange } from './rate-changes.js';
import { standingOfLittleKnown } from './standing-of-little-known.js';

/** This many trials, all without the expected result, raise an alarm in a run without fresh samples. */
const enoughWithoutFreshSample = 3;

/**
 * How a cell compares with the baseline. Verdicts are never compared as such: a difference counts when a fresh sample
 * confirmed it. Runs without fresh samples (`smoke`, `--trials N`) raise an alarm only when all of at least three trials
 * contradict the baseline, or when their likelihood alone would be enough for an alarm; anything less is unsettled. That
 * a flaky cell passes less often is decided by `rateChange`, over all such cells together.
 */
export function standingOf(
  ticket: Ticket,
  finding: Finding,
  plannedCells: number,
  rateChange: RateChange | null,
): CellStanding {
  if (!isJudged(finding)) return notJudged;
  const { expected } = ticket;
  if (expected.kind === 'new') return { standing: 'new', unsettled: finding.surprise === 'unsettled' };
  const known = knowledgeOf(expected);
  if (known !== null) return standingOfLittleKnown({ ticket, expected, finding, known, plannedCells, rateChange });
  if (expected.kind === 'entry' && expected.entry.verdict === 'flaky') {
    return standingOfFlaky(ticket, expected.entry, finding, { plannedCells, rateChange });
  }
  const asBefore =
    expected.kind === 'entry' && !isEnforcement(finding) && passesSometimes(testOf(ticket), failuresOf(finding))
      ? rose
      : asExpected;
  switch (finding.surprise) {
    case 'confirmed': {
      // A rate of violations is compared with the rates of the whole run.
      const isRate = finding.fresh !== null && finding.fresh.pValue !== null;
      return { standing: suspicionOf(ticket, expected, finding), unsettled: isRate && rateChange === null };
    }
    case 'unsettled':
      return { standing: suspicionOf(ticket, expected, finding), unsettled: true };
    case 'cleared':
      return asBefore;
    case null: {
      if (ticket.confirm) return asBefore;
      const apparent = apparentStanding(expected, finding, testOf(ticket));
      const moved = apparent === 'as_expected' ? movedThreshold(ticket, finding) : null;
      const suspicion = moved?.suspicion ?? apparent;
      if (suspicion === 'as_expected') return asBefore;
      const settled = isConclusive(suspicion, ticket, moved ?? finding.trials, plannedCells);
      return { standing: suspicion, unsettled: !settled };
    }
  }
}

function suspicionOf(ticket: Ticket, expected: Exclude<Expected, { kind: 'new' }>, finding: Finding): Apparent {
  const suspicion = finding.fresh?.suspicion ?? 'new';
  return suspicion === 'new' ? apparentStanding(expected, finding, testOf(ticket)) : suspicion;
}

function standingOfFlaky(
  { confirm }: Ticket,
  entry: BaselineEntry,
  finding: Finding,
  { plannedCells, rateChange }: { readonly plannedCells: number; readonly rateChange: RateChange | null },
): CellStanding {
  const { surprise, fresh, trials } = finding;
  if (surprise === 'unsettled' && fresh !== null) return { standing: fresh.suspicion, unsettled: true };
  if (rateChange === 'fell') return { standing: 'regression', unsettled: false };
  if (surprise === 'confirmed' && fresh?.suspicion === 'changed') return { standing: 'changed', unsettled: false };
  const known = countsOf(entry);
  const passes = confirm
    ? surprise === 'confirmed' && fresh?.suspicion === 'improvement'
    : known !== null && isRowOfPasses(known, trials, plannedCells);
  if (passes) return { standing: 'improvement', unsettled: false };
  return rateChange === 'rose' && !isEnforcement(finding) ? rose : asExpected;
}

/** That some replies keep to an ignored keyword is nothing to show. */
const isEnforcement = ({ enforcement }: Finding): boolean => enforcement !== null;

const failuresOf = ({ trials: { passed, total } }: Finding) => ({ passed, failed: total - passed });

function isConclusive(
  suspicion: Exclude<Apparent, 'as_expected'>,
  ticket: Ticket,
  { passed, total }: { readonly passed: number; readonly total: number },
  plannedCells: number,
): boolean {
  const contradicting = suspicion === 'improvement' ? passed : total - passed;
  if (
    suspicion === 'improvement' &&
    ticket.expected.kind === 'entry' &&
    ticket.expected.entry.class === 'not_enforced'
  ) {
    const { entry } = ticket.expected;
    const known = { passed: entry.passed ?? 0, total: entry.total ?? 1 };
    return entry.total !== null && isRowOfPasses(known, { passed, total }, plannedCells);
  }
  if (contradicting === total && total >= enoughWithoutFreshSample) return true;
  if (suspicion === 'changed') return false;
  const broken = evidenceOfBroken(
    testOf(ticket),
    ...(suspicion === 'improvement' ? ([total - passed, passed] as const) : ([passed, total - passed] as const)),
  );
  return contradicting >= 2 && broken >= alarmBoundary(plannedCells);
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
