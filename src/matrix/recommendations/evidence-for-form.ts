import type { DeclaredCaveat, FormEvidence, NeedForm } from '../../suite/probe.js';
import { selects } from '../behaviours/selects.js';
import type { ReportCell } from '../report-format.js';
import type { Evidence } from './evidence.js';

export type EvidenceByCell = (cell: ReportCell) => readonly Evidence[];

/**
 * What says something about a form: its own cells, those that suites name, and every other whose request has this form,
 * unless it fails for a reason of its own.
 */
export function evidenceFor(
  { capability, budget }: NeedForm,
  cells: readonly ReportCell[],
  evidenceByCell: EvidenceByCell,
  declared: readonly FormEvidence[],
): readonly Evidence[] {
  const named = declared.filter((one) => one.capability === capability);
  const isNamed = selects(named.flatMap((one) => one.cells ?? []));
  const isTold = toldBy(named);
  const isItself = (cell: ReportCell): boolean => cell.capability === capability || cell.capability === budget;
  const isOwn = (cell: ReportCell): boolean => isItself(cell) || (isNamed(cell) && !isTold(cell));
  const own = cells.filter(isOwn).flatMap(evidenceByCell);
  const shapes = new Set(
    cells
      .filter(isItself)
      .flatMap(evidenceByCell)
      .map(({ shape }) => shape),
  );
  const further = cells.filter((cell) => !isOwn(cell) && !failsForItself(cell, isTold(cell)));
  const alike = further.flatMap(evidenceByCell).filter(({ shape }) => shape !== null && shapes.has(shape));
  const all = [...own, ...alike];
  return all.some(({ labels, trials }) => labels['stream'] === 'true' && trials.total > 0)
    ? all
    : [...all, ...streamsOfOthers(named, cells, evidenceByCell)];
}

/** Whether a caveat of these tells of the cell, as far as it fails in one of the caveat's ways. */
function toldBy(declared: readonly FormEvidence[]): (cell: ReportCell) => boolean {
  const tests = declared.flatMap(({ caveats = [] }) =>
    caveats.map(({ of, class: classes }) => ({ isOf: selects(of), classes })),
  );
  return (cell) =>
    tests.some(({ isOf, classes }) => isOf(cell) && (cell.class === null || isToldClass(classes, cell.class)));
}

export const isToldClass = (classes: DeclaredCaveat['class'], own: ReportCell['class']): boolean =>
  classes === undefined || (own !== null && classes.includes(own));

/** What only this probe demands, or a prompt of which a caveat tells. A refusal concerns every prompt. */
function failsForItself({ verdict, rung }: ReportCell, isTold: boolean): boolean {
  if (verdict !== 'fail' && verdict !== 'flaky') return false;
  return isTold && rung !== null;
}

/** Where the form was not asked as a stream, the streams of another one count, but only where they fail. */
function streamsOfOthers(
  named: readonly FormEvidence[],
  cells: readonly ReportCell[],
  evidenceByCell: EvidenceByCell,
): readonly Evidence[] {
  const isStream = selects(named.flatMap((one) => one.streams ?? []));
  return cells
    .filter(isStream)
    .flatMap(evidenceByCell)
    .filter(({ trials }) => trials.passed === 0);
}
