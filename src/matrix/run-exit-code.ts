import { deviationsOf } from './standing/deviations.js';
import { usualMaxUnmeasured } from '../config/config.js';
import { missingTrials } from './missing-trials.js';
import type { Report } from './report-format.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aFlag, oneOf, required, type Kind } from '../options/kinds.js';
import { aReport } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

export type FailOn = 'deviation' | 'regression' | 'fail' | 'never';

export interface ExitConditions {
  readonly failOn: FailOn;
  readonly interrupted: boolean;
  /** Stopped early for a reason that the report does not record; an incomplete report is truncated anyway. */
  readonly truncated?: boolean;
  /** The share, 0 to 1, of cells that may be inconclusive or not run, and of planned trials that a stop may leave out. */
  readonly maxUnmeasured: number;
  /** A shard leaves deviations to `merge`. */
  readonly shard: boolean;
}

const aShare: Kind = {
  words: 'a number from 0 to 1',
  type: (value) => typeof value === 'number',
  fits: (value) => Number(value) >= 0 && Number(value) <= 1,
};
const conditionTable: OptionTable<ExitConditions> = {
  failOn: required(oneOf(['deviation', 'regression', 'fail', 'never'] satisfies readonly FailOn[])),
  ...{ interrupted: aFlag, truncated: aFlag, maxUnmeasured: required(aShare), shard: aFlag },
};

/** Of a run that ended by itself, with a config that says nothing else, where nobody knows how it was started. */
export const usualConditions = { failOn: 'deviation', interrupted: false, maxUnmeasured: usualMaxUnmeasured } as const;

/**
 * The exit code of `run` and `merge`, the first that applies: 130 interrupted, 1 a deviation, 3 could not measure,
 * 0 otherwise. (2 is for problems found before anything is sent.) The cells of a model that is gone as announced do not
 * count as unmeasured.
 */
export function exitCode(report: Report, conditions: ExitConditions): 0 | 1 | 3 | 130 {
  checkFirst('exitCode', report, aReport);
  checkOptions('`exitCode`', conditions, conditionTable);
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

/**
 * The share of the plan that was not measured, 0 to 1: of the cells, those that were not judged, or of the planned trials,
 * those that are missing since something stopped. The larger of the two.
 */
export function unmeasured(report: Pick<Report, 'models' | 'cells'>): number {
  return Math.max(unmeasuredCells(report), unaskedTrials(report));
}

/** The share of planned trials that are missing since something stopped; 0 without trials. */
export function unaskedTrials({ models, cells }: Pick<Report, 'models' | 'cells'>): number {
  const { missing, planned } = missingTrials({ cells }, leftAsAnnouncedIn(models));
  return planned === 0 ? 0 : missing / planned;
}

function leftAsAnnouncedIn(models: Report['models']): ReadonlySet<string> {
  return new Set(models.filter((model) => model.retired && model.standing === 'gone').map((model) => model.id));
}

/** The share of planned cells that were not judged; 0 without cells. */
export function unmeasuredCells({ models, cells }: Pick<Report, 'models' | 'cells'>): number {
  const leftAsAnnounced = leftAsAnnouncedIn(models);
  const counted = cells.filter((cell) => !leftAsAnnounced.has(cell.model));
  const missing = counted.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not_run');
  return counted.length === 0 ? 0 : missing.length / counted.length;
}
