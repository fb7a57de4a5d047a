import { deviationsOf } from './standing/deviations.js';
import type { Report } from './report-format.js';

export type FailOn = 'deviation' | 'regression' | 'fail' | 'never';

export interface ExitConditions {
  readonly failOn: FailOn;
  readonly interrupted: boolean;
  /** Stopped early for a reason that the report does not record; an incomplete report is truncated anyway. */
  readonly truncated?: boolean;
  /** The share of cells, 0 to 1, that may be inconclusive or not run. */
  readonly maxUnmeasured: number;
  /** A shard leaves deviations to `merge`. */
  readonly shard: boolean;
}

/**
 * The exit code of `run` and `merge`, the first that applies: 130 interrupted, 1 a deviation, 3 could not measure,
 * 0 otherwise. (2 is for problems found before anything is sent.) The cells of a model that is gone as announced do not
 * count as unmeasured.
 */
export function exitCode(report: Report, conditions: ExitConditions): 0 | 1 | 3 | 130 {
  if (conditions.interrupted) return 130;
  if (!conditions.shard && hasFailed(report, conditions.failOn)) return 1;
  if (conditions.truncated || !report.run.complete || unmeasured(report) > conditions.maxUnmeasured) return 3;
  return 0;
}

function hasFailed(report: Report, failOn: FailOn): boolean {
  switch (failOn) {
    case 'deviation':
      return deviationsOf(report).length > 0;
    case 'regression':
      return deviationsOf(report).some(({ kind }) => kind === 'regression');
    case 'fail':
      return report.cells.some(({ verdict }) => verdict !== 'pass');
    case 'never':
      return false;
  }
}

/** The share of planned cells that were not judged; 0 without cells. */
export function unmeasured({ models, cells }: Pick<Report, 'models' | 'cells'>): number {
  const leftAsAnnounced = new Set(
    models.filter((model) => model.retired && model.standing === 'gone').map((model) => model.id),
  );
  const counted = cells.filter((cell) => !leftAsAnnounced.has(cell.model));
  const missing = counted.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not_run');
  return counted.length === 0 ? 0 : missing.length / counted.length;
}
