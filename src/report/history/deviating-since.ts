import { isJudgement } from '../../cell/verdict.js';
import { type Deviation, deviationId } from '../../matrix/standing/deviations.js';
import { type RunSummary, verdictIn } from './run-summary.js';
import type { Since } from './since-text.js';

/** The runs that say what deviated: none of older versions, and no shards. */
export function comparable<Run extends RunSummary>(earlier: readonly Run[]): readonly Run[] {
  return earlier.filter((run) => !run.run.shard && run.deviating !== undefined);
}

/**
 * Since which run it deviates; null: no earlier run shows it. A run that did not judge the cell, or did not ask the model,
 * says nothing about it.
 * @param earlier the runs before, the oldest first
 */
export function deviatingSince(deviation: Deviation, earlier: readonly RunSummary[]): Since | null {
  const id = deviationId(deviation);
  const counted = 'cell' in deviation ? (deviation.cell.runs_in_a_row ?? 1) : 1;
  const saying = comparable(earlier).filter((run) => showsIn(run, id) || couldShow(run, deviation));
  const without = saying.findLastIndex((run) => !showsIn(run, id));
  const first = saying[without + 1];
  if (first === undefined) return counted === 1 ? null : { at: null, runs: counted, open: false };
  return { at: first.run.started_at, runs: Math.max(counted, saying.length - without), open: without === -1 };
}

export const showsIn = (run: RunSummary, id: string): boolean => run.deviating?.includes(id) === true;

function couldShow(run: RunSummary, deviation: Deviation): boolean {
  return 'cell' in deviation ? judgedIn(run, deviation.cell.key) : run.models[deviation.model] !== undefined;
}

export function judgedIn(run: RunSummary, key: string): boolean {
  const cell = run.cells[key];
  return cell !== undefined && isJudgement(verdictIn(cell));
}
