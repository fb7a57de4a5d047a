import type { LeftOpen, Plan } from '../plan/ticket.js';
import { isJudged } from '../cell/verdict.js';
import { showsRate } from './first-trials.js';
import type { Report, ReportCell, ReportModel, ReportRun } from './report-format.js';
import { deviationsOf } from './standing/deviations.js';

/**
 * The cells that a run left open: they deviated, did not pass, or could not be measured in full, which
 * includes what its own earlier run left open and its filters left out. Of a model whose cells share a failure, those that
 * passed are as open as the others: only together do they show whether it is still there. Cells that it asked of its own accord only
 * explain others.
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

/** Its trials count towards a failure that cells share. */
const isCompared = (cell: ReportCell): boolean => cell.expected !== null && showsRate(cell);

/** By its folder, since no command takes an id; journals of earlier versions have only that. */
export function runThatLeftOpen({ run, folder }: Pick<LeftOpen, 'run' | 'folder'>): string {
  return folder === undefined ? `run ${run}` : `the run in ${folder}`;
}

/** How report.json says that only part of the plan was asked. */
export function lastFailedOf({ lastFailed }: Plan): Pick<ReportRun, 'last_failed'> {
  if (lastFailed === undefined) return {};
  const { run, of, leftOut } = lastFailed;
  return { last_failed: { run, of, left_out: leftOut } };
}

/** How much of the whole plan was asked: nobody must take the rest for unchanged. */
export function partialNote(
  { lastFailed }: Plan,
  cells: readonly ReportCell[],
  models: readonly ReportModel[],
): string[] {
  if (lastFailed === undefined) return [];
  const { of, leftOut } = lastFailed;
  const rest = of - cells.filter((cell) => cell.asked_for === undefined).length;
  const asked = `partial run: only what ${runThatLeftOpen(lastFailed)} left open was asked again, with what that needs`;
  const settled = sharedNotesOf(lastFailed, cells, models);
  if (rest === 0) return [`${asked}; that is the whole plan. It recommends nothing`, ...settled];
  const others =
    leftOut.length === 0 ? '' : `, among them ${leftOut.length} that it left open and other options left out`;
  return [
    `${asked}; ${rest === 1 ? `the other one of ${of} cells of the plan was` : `the other ${rest} of ${of} cells of the plan were`} not asked${others}. It says nothing about them, and recommends nothing`,
    ...settled,
  ];
}

/** What it was worth to ask again what had passed. */
function sharedNotesOf(
  { shared = [] }: LeftOpen,
  cells: readonly ReportCell[],
  models: readonly ReportModel[],
): string[] {
  return models
    .filter(({ id }) => shared.includes(id))
    .map(({ id, shared_failures: found = [] }) => {
      const amount = cells.filter((cell) => cell.model === id && isJudged(cell)).length;
      const again = `${id}: more of its answers failed than single cells prove, so cells that had passed were asked again, too`;
      if (amount === 0) return `${again}; none of them was measured`;
      const [all, fail, show, settle] =
        amount === 1 ? ['cell', 'fails', 'shows', 'does'] : ['cells', 'fail', 'show', 'do'];
      const together = `${again}; together, its ${amount} judged ${all}`;
      if (found.length === 0) return `${together} ${fail} no more often than before`;
      return `${together} ${found.some(({ alarm }) => alarm) ? `${show} that it is there` : `${settle} not settle it yet`}`;
    });
}
