import { isJudgement } from '../../cell/verdict.js';
import { type Deviation, deviationId } from '../../matrix/standing/deviations.js';
import { type RunSummary, verdictIn } from './run-summary.js';

/** The runs that say what deviated: none of older versions, and no shards. */
export function comparable<Run extends RunSummary>(earlier: readonly Run[]): readonly Run[] {
  return earlier.filter((run) => !run.run.shard && run.deviating !== undefined);
}

/**
 * In how many runs in a row, this one included, something deviates. A run that did not judge the cell, or did not ask the
 * model, says nothing about it.
 * @param earlier the runs before, the oldest first
 */
export function runsThatDeviate(deviation: Deviation, earlier: readonly RunSummary[]): number {
  const id = deviationId(deviation);
  const saying = comparable(earlier).flatMap((run) =>
    run.deviating?.includes(id) === true ? [true] : couldShow(run, deviation) ? [false] : [],
  );
  // What cells of a model share shows in others of them each night.
  const { shared, doubt } = 'cell' in deviation ? deviation.cell : {};
  return Math.max(saying.length - saying.lastIndexOf(false), shared?.runs ?? 1, doubt?.by_run.length ?? 1);
}

function couldShow(run: RunSummary, deviation: Deviation): boolean {
  if (!('cell' in deviation)) return run.models[deviation.model] !== undefined;
  const cell = run.cells[deviation.cell.key];
  return cell !== undefined && isJudgement(verdictIn(cell));
}
