import { splitAtModel } from '../../cell/cell-key.js';
import type { Suspicion } from '../../decide/course.js';
import type { Report, ReportCell, ReportModel, ReportQuirk } from '../report-format.js';

/** Something that differs from the baseline and raises an alarm. */
export type Deviation =
  | {
      readonly kind: Suspicion;
      readonly model: string;
      readonly cell: ReportCell;
    }
  | { readonly kind: 'gone'; readonly model: string; readonly gone: ReportModel }
  | { readonly kind: 'wire'; readonly model: string; readonly quirk: ReportQuirk };

/**
 * Regressions, changes, improvements, new cells that do not pass, quirks of the wire that became the rule or ended, and
 * models that are gone without notice. What is in doubt or unreliable is no deviation, nor is a new cell that nobody planned.
 */
export function deviationsOf(report: Pick<Report, 'models' | 'cells' | 'wire'>): readonly Deviation[] {
  const before = foundDeviations.get(report);
  if (before !== undefined) return before;
  const deviations = allDeviations(report);
  foundDeviations.set(report, deviations);
  return deviations;
}

/** Most parts of a page want the deviations, so they are found once. */
const foundDeviations = new WeakMap<object, readonly Deviation[]>();

function allDeviations({ models, cells, wire = [] }: Pick<Report, 'models' | 'cells' | 'wire'>): readonly Deviation[] {
  const gone = models
    .filter((model) => model.standing === 'gone' && !model.retired)
    .map((model): Deviation => ({ kind: 'gone', model: model.id, gone: model }));
  const changed = wire
    .filter(({ standing }) => standing !== 'as_expected')
    .map((quirk): Deviation => ({ kind: 'wire', model: quirk.model, quirk }));
  return [...gone, ...changed, ...cells.flatMap(deviationOf)];
}

function deviationOf(cell: ReportCell): Deviation[] {
  const { standing, model } = cell;
  if (cell.unsettled) return [];
  switch (standing) {
    case 'regression':
    case 'changed':
    case 'improvement':
      return [{ kind: standing, model, cell }];
    case 'new':
      // A cell that the run asked of its own accord explains the deviation of another.
      if (cell.asked_for !== undefined || cell.verdict === 'pass') return [];
      return [{ kind: 'new', model, cell }];
    case 'as_expected':
    case 'unreliable':
    case null:
      return [];
  }
}

/** The thing that an id of {@link deviationId} names. */
export interface NamedDeviation {
  readonly kind: Deviation['kind'];
  /** The key of a cell, a model, or `QUIRK@TARGET/MODEL`. */
  readonly subject: string;
  /** `TARGET/MODEL` */
  readonly model: string;
}

const deviationKinds: readonly Deviation['kind'][] = ['gone', 'wire', 'regression', 'changed', 'improvement', 'new'];

/** Reads an id again, as the summaries of earlier runs hold it; null: it is none. */
export function readDeviationId(id: string): NamedDeviation | null {
  const end = id.indexOf(' ');
  const kind = deviationKinds.find((one) => one === id.slice(0, end));
  if (kind === undefined) return null;
  const subject = id.slice(end + 1);
  return { kind, subject, model: kind === 'gone' ? subject : (splitAtModel(subject).model ?? subject) };
}

/** Names a deviation in the same way in every run that has it: its kind, and what deviates. */
export function deviationId(deviation: Deviation): string {
  if (deviation.kind === 'gone') return `gone ${deviation.model}`;
  if (deviation.kind === 'wire') return `wire ${deviation.quirk.quirk}@${deviation.model}`;
  return `${deviation.kind} ${deviation.cell.key}`;
}
