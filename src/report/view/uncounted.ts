import { isJudged } from '../../cell/verdict.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { count, listed, sentAgain } from './phrases.js';

/** Cells of one list, and what stands above it. */
interface Uncounted {
  readonly title: string;
  readonly cells: readonly ReportCell[];
}

/**
 * Cells that do not pass although the baseline expects no failure of them, and that are neither deviations nor unconfirmed.
 * Those that never pass, but explain others, are no matter of chance.
 */
export function uncountedLists(report: Pick<Report, 'models' | 'cells' | 'wire'>): readonly Uncounted[] {
  const counted = new Set(deviatingCells(report));
  const cells = report.cells.filter(
    (cell) => fails(cell) && !counted.has(cell) && !cell.unsettled && (cell.expected?.verdict ?? 'pass') === 'pass',
  );
  return [
    { title: 'Failures that may be chance (not counted)', cells: cells.filter((cell) => !explainsOthers(cell)) },
    { title: 'Asked only to explain other cells (not counted)', cells: cells.filter(explainsOthers) },
  ].filter((list) => list.cells.length > 0);
}

const explainsOthers = ({ asked_for: askedFor }: ReportCell): boolean => askedFor !== undefined;

/** "34 of 38 trials passed, 36 of the 37 fresh ones" */
export function uncountedText({ trials, fresh }: ReportCell): string {
  const { passed, total } = trials;
  const again = sentAgain([trials]);
  const all = `${passed} of ${count(total, 'trial')} passed`;
  const confirmed = fresh === null || fresh.total === 0 ? '' : `, ${fresh.passed} of the ${fresh.total} fresh ones`;
  return `${all}${confirmed}${again}`;
}

/** What cells that do not pass mean before there is a baseline: all of them, or each kind in numbers; null where all pass. */
export function untilCovered(report: Pick<Report, 'models' | 'cells' | 'wire'>): string | null {
  const failing = report.cells.filter(fails);
  if (failing.length === 0) return null;
  const deviating = new Set(deviatingCells(report));
  const counted = failing.filter((cell) => deviating.has(cell)).length;
  if (counted === failing.length) return 'Each cell that does not pass is a deviation until a baseline covers it.';
  const unconfirmed = failing.filter(({ unsettled }) => unsettled).length;
  const explaining = failing.filter((cell) => !deviating.has(cell) && !cell.unsettled && explainsOthers(cell)).length;
  const rest = failing.length - counted - unconfirmed - explaining;
  const parts = [
    ...(counted === 0 ? [] : [`${counted} ${counted === 1 ? deviatesAlone : deviate}`]),
    ...(unconfirmed === 0 ? [] : [`${unconfirmed} ${unconfirmed === 1 ? 'is' : 'are'} unconfirmed`]),
    ...(rest === 0 ? [] : [`${rest} may be chance`]),
    ...(explaining === 0
      ? []
      : [`${explaining} ${explaining === 1 ? 'was' : 'were'} asked only to explain other cells`]),
  ];
  if (failing.length === 1)
    return `The cell that does not pass ${parts.join('').replace(/^1 /, '')}, so it is no deviation.`;
  return `Of the ${count(failing.length, 'cell')} that do not pass, ${listed(parts)}; the report lists each.`;
}

const deviatesAlone = 'is a deviation until a baseline covers it';
const deviate = 'are deviations until a baseline covers them';

const fails = (cell: ReportCell): boolean => isJudged(cell) && cell.verdict !== 'pass';

function deviatingCells(report: Pick<Report, 'models' | 'cells' | 'wire'>): readonly ReportCell[] {
  return deviationsOf(report).flatMap((one) => (one.kind === 'gone' || one.kind === 'wire' ? [] : one.cell));
}
