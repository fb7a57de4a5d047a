import { compilePattern } from '../../src/cell/cell-pattern.js';
import type { Report, ReportCell, ReportModel } from '../../src/matrix/report-format.js';
import type { Label, LabelledCell } from './label-table.js';

/** Verdicts that say nothing about the model. */
const unjudged: ReadonlySet<string> = new Set(['blocked', 'not_run']);

/** A sentence for each point in which the report does not say of a profile what its label says. */
export function mismatchesOf(label: Label, report: Report): readonly string[] {
  const model = report.models.find((one) => one.model === label.profile);
  if (model === undefined) return ['the model is not in the report'];
  const cells = report.cells.filter((cell) => cell.model === model.id);
  if (label.unreachable !== undefined) return unreachableDifferences(label.unreachable, model, cells);
  if (!model.reachable) return [`the model was not reached: ${model.unreachable?.detail ?? ''}`];

  const excepted = (label.except ?? []).map((pattern) => compilePattern(pattern));
  const compared = cells.filter((cell) => !excepted.some((matches) => matches(cell.key)));
  const named = (label.cells ?? []).map((cell) => ({ cell, matches: compilePattern(cell.key) }));
  const others = compared.filter(({ key: other }) => !named.some(({ matches }) => matches(other)));
  return [
    ...named.flatMap(({ cell, matches }) =>
      namedDifferences(
        cell,
        compared.filter((one) => matches(one.key)),
      ),
    ),
    ...(label.innocent === true ? compared : []).flatMap(passing),
    ...(label.elsewhere === 'pass' ? others : []).flatMap(passing),
    ...behaviourDifferences(label, report, model.id),
  ];
}

function unreachableDifferences(
  wanted: NonNullable<Label['unreachable']>,
  { unreachable }: ReportModel,
  cells: readonly ReportCell[],
): readonly string[] {
  if (unreachable === null) return ['the model was reached'];
  const judged = cells.filter(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'not_run');
  return [
    ...differences(wanted, unreachable, 'the control'),
    ...judged.map((cell) => `${cell.key} is judged although the model was not reached: ${told(cell)}`),
  ];
}

function namedDifferences(labelled: LabelledCell, cells: readonly ReportCell[]): readonly string[] {
  const judged = cells.filter(({ verdict }) => !unjudged.has(verdict));
  const { key, quirks = [], ...fields } = labelled;
  if (judged.length === 0) return [`no judged cell matches ${key}${why(cells[0])}`];
  return judged.flatMap((cell) => [
    ...differences(fields, cell, cell.key),
    ...quirks.filter((quirk) => !cell.quirks.includes(quirk)).map((quirk) => `${cell.key} does not name ${quirk}`),
  ]);
}

function passing(cell: ReportCell): readonly string[] {
  if (cell.verdict === 'pass' || cell.verdict === 'not_run') return [];
  return [`${cell.key} should pass: ${told(cell)}`];
}

function differences(wanted: object, found: object, where: string): readonly string[] {
  const is = new Map<string, unknown>(Object.entries(found));
  const wrong = Object.entries(wanted).filter(([name, value]) => is.get(name) !== value);
  if (wrong.length === 0) return [];
  const said = wrong.map(([name, value]) => `${name} ${String(is.get(name))} instead of ${String(value)}`);
  return [`${where}: ${said.join(', ')} (${told(found)})`];
}

function behaviourDifferences({ behaviours = [] }: Label, report: Report, model: string): readonly string[] {
  const found = report.behaviours.filter((one) => one.model === model).map(({ id }) => id);
  return [
    ...behaviours.filter((id) => !found.includes(id)).map((id) => `the behaviour ${id} is not reported`),
    ...found.filter((id) => !behaviours.includes(id)).map((id) => `the behaviour ${id} is reported`),
  ];
}

function why(cell: ReportCell | undefined): string {
  return cell === undefined ? '' : `: ${told(cell)}`;
}

function told(found: object): string {
  const { verdict, class: kind, reason, status, detail } = found as Partial<ReportCell>;
  return [verdict, kind, reason, status, detail].filter((part) => part !== undefined && part !== null).join(' ');
}
