import type { Report, Verdict } from '../../src/index.js';
import type { Label, LabelledCell } from './label-table.js';

type ReportCell = Report['cells'][number];
type ReportModel = Report['models'][number];

/** Verdicts of cells that were not asked. */
const unasked: readonly Verdict[] = ['blocked', 'not_run'];

/** One sentence for each difference between what the report and the label say about a profile. */
export function mismatchesOf(label: Label, report: Report): readonly string[] {
  const model = report.models.find((one) => one.model === label.profile);
  if (model === undefined) return ['the model is not in the report'];
  const cells = report.cells.filter((cell) => cell.model === model.id);
  if (label.unreachable !== undefined) return unreachableDifferences(label.unreachable, model, cells);
  if (!model.reachable) return [`the model was not reached: ${model.unreachable?.detail ?? ''}`];

  const excepted = (label.except ?? []).map((pattern) => matcherOf(pattern));
  const compared = cells.filter((cell) => !excepted.some((matches) => matches(cell.key)));
  const named = (label.cells ?? []).map((cell) => ({ cell, matches: matcherOf(cell.key) }));
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

/** The profiles among these whose labels do not match. */
export function contradictedBy(labels: readonly Label[], report: Report): string[] {
  return labels.filter((label) => mismatchesOf(label, report).length > 0).map(({ profile }) => profile);
}

/** `*` stands for any characters; without `[...]`, all points of a probe are meant. */
export function matcherOf(pattern: string): (key: string) => boolean {
  const whole = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
  return (key) => {
    const cell = key.replace(/@.*/, '');
    return whole.test(cell) || (!pattern.includes('[') && whole.test(cell.replace(/\[.*/, '')));
  };
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
    ...judged.map((cell) => `${cell.key} was judged although the model was not reached: ${resultOf(cell)}`),
  ];
}

function namedDifferences(labelled: LabelledCell, cells: readonly ReportCell[]): readonly string[] {
  const asked = cells.filter(({ verdict }) => !unasked.includes(verdict));
  const { key, quirks = [], ...fields } = labelled;
  if (asked.length === 0) return [`no cell that was asked matches ${key}${firstResult(cells[0])}`];
  return asked.flatMap((cell) => [
    ...differences(fields, cell, cell.key),
    ...quirks.filter((quirk) => !cell.quirks.includes(quirk)).map((quirk) => `${cell.key} does not name ${quirk}`),
  ]);
}

function passing(cell: ReportCell): readonly string[] {
  if (cell.verdict === 'pass' || cell.verdict === 'not_run') return [];
  return [`${cell.key} should pass: ${resultOf(cell)}`];
}

function differences(wanted: object, found: object, where: string): readonly string[] {
  const actual = new Map<string, unknown>(Object.entries(found));
  const wrong = Object.entries(wanted).filter(([name, value]) => actual.get(name) !== value);
  if (wrong.length === 0) return [];
  const texts = wrong.map(([name, value]) => `${name} ${String(actual.get(name))} instead of ${String(value)}`);
  return [`${where}: ${texts.join(', ')} (${resultOf(found)})`];
}

function behaviourDifferences({ behaviours = [] }: Label, report: Report, model: string): readonly string[] {
  const found = report.behaviours.filter((one) => one.model === model).map(({ id }) => id);
  return [
    ...behaviours.filter((id) => !found.includes(id)).map((id) => `the behaviour ${id} is not reported`),
    ...found.filter((id) => !behaviours.includes(id)).map((id) => `the behaviour ${id} is reported`),
  ];
}

function firstResult(cell: ReportCell | undefined): string {
  return cell === undefined ? '' : `: ${resultOf(cell)}`;
}

function resultOf(found: object): string {
  const { verdict, class: kind, reason, status, detail } = found as Partial<ReportCell>;
  return [verdict, kind, reason, status, detail].filter((part) => part !== undefined && part !== null).join(' ');
}
