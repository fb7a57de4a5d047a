import type { Expected } from '../../baseline/entries.js';
import type { Count } from '../../stats/count.js';
import type { Finding } from '../../decide/course.js';
import { rowAgainst } from '../../decide/false-alarms.js';
import { isRowOfPasses } from '../../decide/improvement.js';
import type { Ticket } from '../../plan/ticket.js';
import { defaultTest, passesToReliable } from '../../stats/sequential-test.js';
import {
  type Apparent,
  apparentStanding,
  asExpected,
  type CellStanding,
  movedThreshold,
  rose,
} from './apparent-standing.js';
import type { RateChange } from './rate-changes.js';

export interface LittleKnown {
  readonly ticket: Ticket;
  readonly expected: Exclude<Expected, { kind: 'new' }>;
  readonly finding: Finding;
  /** What was known of the cell before this run. */
  readonly known: Count;
  readonly plannedCells: number;
  /** Over all cells with a known rate. */
  readonly rateChange: RateChange | null;
}

/**
 * How a cell compares with a baseline that knows it from few trials. It is a deviation when a row of trials without the
 * expected result was long enough, or when its rate has moved from what earlier runs have shown. A result in part, as it
 * comes from a cell that was flaky all along, is as expected and unsettled: it is shown until somebody accepts it.
 */
export function standingOfLittleKnown(of: LittleKnown): CellStanding {
  const { ticket, expected, finding, rateChange } = of;
  const { surprise, fresh } = finding;
  // Put off, because several cells dropped together.
  if (surprise === 'unsettled' && fresh !== null && fresh.pValue !== null) {
    return { standing: fresh.suspicion, unsettled: true };
  }
  if (rateChange === 'fell') return { standing: 'regression', unsettled: false };
  if (surprise === 'confirmed' && fresh !== null && fresh.pValue === null) {
    return { standing: fresh.suspicion, unsettled: false };
  }
  if (surprise === 'unsettled' && fresh !== null && !isInPart(finding)) {
    return { standing: fresh.suspicion, unsettled: true };
  }
  if (surprise === null && !ticket.confirm) return withoutFreshSample(of);
  if (rateChange === 'rose') return rose;
  return { ...asExpected, unsettled: isUnexpectedInPart(expected, finding) };
}

function withoutFreshSample({ ticket, expected, finding, known, plannedCells, rateChange }: LittleKnown): CellStanding {
  const isFlaky = expected.kind === 'entry' && expected.entry.verdict === 'flaky';
  if (expected.kind === 'entry' && known.passed > 0 && isRowOfPasses(known, finding.trials, plannedCells)) {
    return { standing: 'improvement', unsettled: false };
  }
  if (rateChange === 'rose') return rose;
  const apparent = isFlaky ? flakyStanding(finding) : littleKnownStanding(expected, finding);
  const moved = apparent === 'as_expected' ? movedThreshold(ticket, finding) : null;
  const suspicion = moved?.suspicion ?? apparent;
  if (suspicion === 'as_expected') return asExpected;
  const { passed, total } = moved ?? finding.trials;
  // Which kind of failure each trial showed is not known here.
  if (suspicion === 'changed') return { standing: suspicion, unsettled: true };
  const contradicting = suspicion === 'improvement' ? passed : total - passed;
  if (contradicting < total) return { ...asExpected, unsettled: !isFlaky };
  const usual = suspicion === 'improvement' ? known.total - known.passed : known.passed;
  const row = rowAgainst({ passed: usual, total: known.total }, suspicion, plannedCells, Infinity);
  const long = suspicion === 'improvement' ? passesToReliable(defaultTest) : 0;
  return { standing: suspicion, unsettled: row === null || total < Math.max(row, long) };
}

const flakyStanding = ({ trials }: Finding): 'regression' | 'as_expected' =>
  trials.passed === 0 ? 'regression' : 'as_expected';

/** Less is known than the ordinary test would need, so any result that is not expected is looked at. */
function littleKnownStanding(expected: LittleKnown['expected'], finding: Finding): Apparent {
  const isUnexpected = expected.kind === 'entry' && finding.trials.passed > 0;
  return isUnexpected ? 'improvement' : apparentStanding(expected, finding, defaultTest);
}

const isInPart = ({ trials: { passed, total } }: Finding): boolean => passed > 0 && passed < total;

/** A flaky cell is expected to pass in part. */
function isUnexpectedInPart(expected: LittleKnown['expected'], { trials: { passed, total } }: Finding): boolean {
  if (expected.kind === 'pass') return passed < total;
  // Some replies keep to a keyword that is not enforced.
  return expected.entry.verdict === 'fail' && expected.entry.class !== 'not_enforced' && passed > 0;
}
