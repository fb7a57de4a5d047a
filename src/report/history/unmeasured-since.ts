import { isJudgement } from '../../cell/verdict.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { type RunSummary, verdictIn } from './run-summary.js';
import type { Since } from './since-text.js';

/**
 * Since which run a cell that was not measured has not been; runs that did not ask it say nothing.
 * @param earlier the runs before, the oldest first
 */
export function unmeasuredSince({ key }: Pick<ReportCell, 'key'>, earlier: readonly RunSummary[]): Since {
  const asking = earlier.filter((run) => saysOf(run, key) !== null);
  const last = asking.findLastIndex((run) => saysOf(run, key) !== 'inconclusive');
  const first = asking[last + 1];
  if (first === undefined) return { at: null, runs: 1, open: false };
  return { at: first.run.started_at, runs: asking.length - last, open: last === -1 };
}

/**
 * Whether it passed, if only sometimes, in the last run that judged it; where none is known that asked it, whether the
 * baseline says so. A pattern of the baseline may cover cells that nobody ever measured.
 */
export function passedBefore(
  { key, expected }: Pick<ReportCell, 'key' | 'expected'>,
  earlier: readonly RunSummary[],
): boolean {
  const asked = earlier.flatMap((run) => saysOf(run, key) ?? []);
  if (asked.length === 0) return expected !== null && expected.verdict !== 'fail';
  const judged = asked.findLast(isJudgement);
  return judged === 'pass' || judged === 'flaky';
}

function saysOf({ cells }: RunSummary, key: string) {
  const cell = Object.hasOwn(cells, key) ? cells[key] : undefined;
  const verdict = cell === undefined ? 'not_run' : verdictIn(cell);
  return verdict === 'not_run' || verdict === 'blocked' ? null : verdict;
}
