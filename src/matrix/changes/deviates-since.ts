import { isJudgement } from '../../cell/verdict.js';
import { comparable, type RunSummary, verdictIn } from '../run-summary.js';
import { deviationId, type Deviation } from '../standing/deviations.js';

/** How long something has deviated. */
export interface DeviatingSince {
  /** Runs in a row, this one included. */
  readonly runs: number;
  /** When the first of them began (ISO 8601); null: in this run. */
  readonly at: string | null;
}

/**
 * Since which run in a row something deviates. A run that did not judge the cell, or did not ask the model, says
 * nothing about it.
 * @param earlier the runs before, the oldest first
 */
export function deviatesSince(deviation: Deviation, earlier: readonly RunSummary[]): DeviatingSince {
  const id = deviationId(deviation);
  const saying = comparable(earlier).flatMap((run) => {
    const deviates = run.deviating?.includes(id) === true;
    return deviates || couldDeviate(run, deviation) ? [{ at: run.run.started_at, deviates }] : [];
  });
  const inRow = saying.slice(saying.findLastIndex(({ deviates }) => !deviates) + 1);
  // A failure that cells of a model share shows in others of them each night.
  const { shared, evidence = null } = 'cell' in deviation ? deviation.cell : {};
  const runs = Math.max(inRow.length + 1, shared?.runs ?? 1, evidence?.doubt.length ?? 1);
  const first = earlier[earlier.length - (runs - 1)]?.run.started_at;
  return { runs, at: inRow.length + 1 === runs ? (inRow[0]?.at ?? null) : (first ?? null) };
}

function couldDeviate(run: RunSummary, deviation: Deviation): boolean {
  if (!('cell' in deviation)) return run.models[deviation.model] !== undefined;
  const cell = run.cells[deviation.cell.key];
  return cell !== undefined && isJudgement(verdictIn(cell));
}
