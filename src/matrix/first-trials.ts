import type { SharedFailure } from '../decide/shared-failure.js';
import type { Count } from '../stats/count.js';
import type { ReportCell } from './report-format.js';

/** Whether the trials of a cell make up a pass rate: those of thresholds and enforcement are compared by rules of their own. */
export const showsRate = ({ threshold, enforcement }: Pick<ReportCell, 'threshold' | 'enforcement'>): boolean =>
  threshold === null && enforcement === null;

/** The trials of a cell that were asked whatever they showed. */
export function firstTrialsOf({ trials }: ReportCell): Count {
  return trials;
}

/** The first trials of a cell over all runs in which a shared failure is in doubt; what did not fail so counts as passed. */
export function trialsWithShared(cell: ReportCell, { cells, runs }: Pick<SharedFailure, 'cells' | 'runs'>): Count {
  const failed = cells[cell.key] ?? 0;
  const total = Math.max(failed, firstTrialsOf(cell).total * runs);
  return { passed: total - failed, total };
}
