import type { Count } from '../stats/count.js';
import { probabilityOfMore } from '../stats/exact-test.js';
import { boundary, evidenceOfBroken, reaches, stateOf, type SequentialTest } from '../stats/sequential-test.js';
import { alarmBoundary, clearerIfPooled, rareForOneCell, rowForAlarm, seldom } from './false-alarms.js';

/** As many as a fresh sample may take. */
const longestRow = 60;

/** Good and bad trials. */
export interface PassesAndFailures {
  readonly passed: number;
  readonly failed: number;
}

/**
 * What trials say of a cell that is known to fail. `passes`: it no longer fails, as clearly as a regression must be, and
 * the ordinary test calls it reliable. `sometimes`: the same test says that it does not always pass. `fails`: the passes
 * are no more than chance allows.
 */
export type AfterFailing = 'passes' | 'sometimes' | 'fails' | 'open';

/**
 * An improvement is a cell that passes now, not one that fails less often.
 * @param fresh without the trials that raised the doubt: these were selected for passing
 * @param all with them
 * @param alarm evidence for the alarm, as for a regression
 */
export function afterFailing(
  test: SequentialTest,
  fresh: PassesAndFailures,
  all: PassesAndFailures,
  alarm: number,
): AfterFailing {
  const noLongerFails = evidenceOfBroken(test, fresh.failed, fresh.passed);
  if (reaches(noLongerFails, alarm) && stateOf(test, fresh.passed, fresh.failed) === 'reliable') return 'passes';
  if (stateOf(test, all.failed, all.passed) === 'reliable') return 'fails';
  return stateOf(test, all.passed, all.failed) === 'broken' ? 'sometimes' : 'open';
}

/** Whether a cell that is known to fail passes too often for chance. */
export function passesSometimes(test: SequentialTest, { passed, failed }: PassesAndFailures): boolean {
  return reaches(evidenceOfBroken(test, failed, passed), boundary(test));
}

/**
 * The row of passes after which a cell that passed only sometimes seems to pass: at least as long as for a cell that is
 * known to fail from a single trial, and so long that an exact test against the known rate rules out chance over all cells
 * of a run, night after night. Where the longest row does not, it says something all the same: whether enough is judged
 * over the whole run, and over the rows of consecutive runs.
 * @returns null: the cell passed so often that no two such rows prove anything
 */
export function passesToImprove(known: Count, plannedCells: number): number | null {
  const least = Math.min(longestRow, rowForAlarm(plannedCells, seldom));
  const chanceInRun = Math.exp(-alarmBoundary(plannedCells));
  const chanceOf = (row: number) => probabilityOfMore({ passed: row, total: row }, known);
  for (let row = least; row <= longestRow; row++) if (chanceOf(row) <= chanceInRun / clearerIfPooled) return row;
  return chanceOf(2 * longestRow) <= rareForOneCell ? longestRow : null;
}

/** Whether trials that were not asked for this reason are such a row. */
export function isRowOfPasses(known: Count, { passed, total }: Count, plannedCells: number): boolean {
  const row = passed < total ? null : passesToImprove(known, plannedCells);
  return row !== null && total >= row;
}
