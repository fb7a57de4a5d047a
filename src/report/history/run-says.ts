import { isJudgement } from '../../cell/verdict.js';
import type { ReportCell } from '../../matrix/report-format.js';
import type { Deviation } from '../../matrix/standing/deviations.js';
import { type RunSummary, verdictIn } from './run-summary.js';

/** The runs that say what deviated: none of older versions, and no shards. */
export function comparable<Run extends RunSummary>(earlier: readonly Run[]): readonly Run[] {
  return earlier.filter((run) => !run.run.shard && run.deviating !== undefined);
}

export const showsIn = (run: RunSummary, id: string): boolean => run.deviating?.includes(id) === true;

export function couldShow(run: RunSummary, deviation: Deviation): boolean {
  return 'cell' in deviation ? judgedIn(run, deviation.cell.key) : run.models[deviation.model] !== undefined;
}

export function judgedIn(run: RunSummary, key: string): boolean {
  const cell = run.cells[key];
  return cell !== undefined && isJudgement(verdictIn(cell));
}

/**
 * Whether it passed, if only sometimes, in the last run that judged it; where none is known that asked it, whether the
 * baseline says so. A pattern of the baseline may cover cells that nobody ever measured.
 */
export function passedBefore(
  { key, expected }: Pick<ReportCell, 'key' | 'expected'>,
  earlier: readonly RunSummary[],
): boolean {
  const asked = earlier.flatMap((run) => askedIn(run, key) ?? []);
  if (asked.length === 0) return expected !== null && expected.verdict !== 'fail';
  const judged = asked.findLast(isJudgement);
  return judged === 'pass' || judged === 'flaky';
}

/** What a run that asked the cell says of it. */
export function askedIn({ cells }: RunSummary, key: string) {
  const cell = Object.hasOwn(cells, key) ? cells[key] : undefined;
  const verdict = cell === undefined ? 'not_run' : verdictIn(cell);
  return verdict === 'not_run' || verdict === 'blocked' ? null : verdict;
}
