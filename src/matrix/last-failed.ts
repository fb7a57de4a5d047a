import type { LeftOpen, Plan } from '../plan/plan.js';
import type { Report, ReportCell, ReportRun } from './report-format.js';
import { deviationsOf } from './standing/deviations.js';

/**
 * The cells that a run left open: they deviated, did not pass, or could not be measured in full, which includes what
 * its own earlier run left open and its filters left out. Of a model whose cells share a failure, those that passed are
 * as open as the others: only together do they show whether it is still there. Cells that it asked of its own accord
 * only explain others.
 * @param folder of the run, as a command takes it
 */
export function leftOpenBy(report: Pick<Report, 'run' | 'models' | 'cells' | 'wire'>, folder?: string): LeftOpen {
  const deviating = deviationsOf(report).flatMap((deviation): readonly string[] => {
    switch (deviation.kind) {
      case 'gone':
        return report.cells.filter(({ model }) => model === deviation.model).map(({ key }) => key);
      case 'wire':
        return deviation.quirk.cells;
      case 'regression':
      case 'changed':
      case 'improvement':
      case 'new':
        return [deviation.cell.key];
    }
  });
  const open = report.cells.filter(({ verdict, trials }) => verdict !== 'pass' || (trials.missing ?? 0) > 0);
  const shared = report.models.filter(({ shared_failures: found = [] }) => found.length > 0).map(({ id }) => id);
  const comparable = report.cells.filter((cell) => shared.includes(cell.model) && isCompared(cell));
  const leftOut = report.run.last_failed?.left_out ?? [];
  const explaining = new Set(report.cells.filter((cell) => cell.asked_for !== undefined).map(({ key }) => key));
  const keys = [...new Set([...[...open, ...comparable].map(({ key }) => key), ...deviating, ...leftOut])];
  return {
    run: report.run.id,
    ...(folder !== undefined && { folder }),
    cells: keys.filter((key) => !explaining.has(key)),
    inDoubt: keys.filter((key) => explaining.has(key)),
    ...(shared.length > 0 && { shared }),
  };
}

/** Trials of the cell count towards a failure that cells share. */
const isCompared = ({ expected, threshold, enforcement }: ReportCell): boolean =>
  expected !== null && threshold === null && enforcement === null;

/** How report.json says that only part of the plan was asked. */
export function lastFailedOf({ lastFailed }: Plan): Pick<ReportRun, 'last_failed'> {
  if (lastFailed === undefined) return {};
  const { run, of, leftOut } = lastFailed;
  return { last_failed: { run, of, left_out: leftOut } };
}
