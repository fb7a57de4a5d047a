import type { Count } from '../stats/count.js';
import type { ReportCell } from './report-format.js';

/** Whether the trials of a cell make up a pass rate: those of thresholds and enforcement are compared by rules of their own. */
export const showsRate = ({ threshold, enforcement }: Pick<ReportCell, 'threshold' | 'enforcement'>): boolean =>
  threshold === null && enforcement === null;

/** The trials of a cell in this run. */
export function firstTrialsOf({ trials }: ReportCell): Count {
  return trials;
}
