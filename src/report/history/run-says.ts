import { isJudgement } from '../../cell/verdict.js';
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
