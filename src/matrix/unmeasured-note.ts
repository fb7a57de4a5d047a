import { groupBy } from '../json/group-by.js';
import type { Report, ReportCell } from './report-format.js';
import { isLasting } from './unmeasured/unmeasured-groups.js';
import { unaskedTrials, unmeasured, unmeasuredCells } from './run-exit-code.js';

type Measured = Pick<Report, 'models' | 'cells' | 'unmeasured'>;

/** Explains why such a run exits with 3. */
export function unmeasuredNote(report: Measured, most: number): string[] {
  if (unmeasured(report) <= most) return [];
  const percent = (of: number): string => `${Number((100 * of).toFixed(1))} %`;
  const share = unmeasuredCells(report);
  const unasked = unaskedTrials(report);
  const allows = `more than max_unmeasured (${percent(most)}) allows`;
  return [
    ...(share > most ? [`${percent(share)} of the cells were not measured, ${allows}`] : []),
    ...(unasked > most ? [`${percent(unasked)} of the planned trials were not asked, ${allows}`] : []),
    ...mostFrequentFault(report),
  ];
}

/**
 * What kept most cells of models that answered from being measured; for other models the report says why they did not, and
 * what is never answered has a note of its own.
 */
function mostFrequentFault({ models, cells, unmeasured = [] }: Measured): string[] {
  const told = new Set(unmeasured.filter(isLasting).flatMap((group) => group.cells));
  const answered = new Set(models.filter(({ unreachable }) => unreachable === null).map(({ id }) => id));
  const faulty = cells.filter(
    (cell) => cell.verdict === 'inconclusive' && cell.class !== null && answered.has(cell.model) && !told.has(cell.key),
  );
  const groups = [...groupBy(faulty, faultOf).values()].sort((one, other) => other.length - one.length);
  const [first] = groups[0] ?? [];
  if (first === undefined) return [];
  const detail = first.detail === null ? '' : `: ${first.detail}`;
  const number = groups[0]?.length ?? 0;
  const which = number === 1 ? first.key : `${number} cells, such as ${first.key}`;
  return [`not measured because of ${faultOf(first)}: ${which}${detail}`];
}

function faultOf({ class: kind, reason, status }: ReportCell): string {
  return [kind, status, reason].filter((part) => part !== null).join(' ');
}
