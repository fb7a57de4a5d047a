import { unsuitableBecause } from '../baseline/accept-run.js';
import { isJudged } from '../cell/verdict.js';
import type { Report } from './report-format.js';

/** Whether `baseline accept` would take the run. */
export const isAcceptable = (report: Pick<Report, 'cells' | 'run'>): boolean =>
  !isCheck(report) && unsuitableBecause(report.run) === null;

/** Cells of `check` are no part of a baseline. */
export const isCheck = ({ cells }: Pick<Report, 'cells'>): boolean => cells.every(({ suite }) => suite === 'check');

/** Whether no judged cell is in a baseline. */
export function hasNoBaseline({ cells }: Pick<Report, 'cells'>): boolean {
  const judged = cells.filter(isJudged);
  return judged.length > 0 && judged.every(({ standing }) => standing === 'new');
}
