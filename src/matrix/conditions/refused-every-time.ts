import { repeatabilityOf } from '../repeatability.js';
import type { ReportCell } from '../report-format.js';

/**
 * Whether a service refuses what a cell asks every time. A request that is answered wrongly may be answered better the next
 * time.
 * @param ofModel all cells of the model: an error that comes and goes in any of them is no rule in another
 */
export function refusalsIn(ofModel: readonly ReportCell[]): (cell: ReportCell) => boolean {
  const occasional = new Set(
    ofModel.flatMap((cell) => (cell.verdict === 'flaky' ? [cell, ...cell.failures].map(errorOf) : [])),
  );
  return ({ verdict, failures, ...cell }) =>
    verdict === 'fail' &&
    [cell, ...failures].every((one) => repeatabilityOf(one) !== 'luck' && !occasional.has(errorOf(one)));
}

function errorOf({ class: kind, reason, status }: Pick<ReportCell, 'class' | 'reason' | 'status'>): string {
  return JSON.stringify([kind, reason, status]);
}
