import { endingsOf } from '../../matrix/failed-requests-text.js';
import type { Report, ReportUnmeasured } from '../../matrix/report-format.js';
import { kindsTogether } from '../../matrix/unmeasured/unanswered.js';
import { isLasting, missedCells } from '../../matrix/unmeasured/unmeasured-groups.js';
import { unmeasuredGroupNotes } from '../../matrix/unmeasured/unmeasured-text.js';
import { passedBefore } from '../history/run-says.js';
import type { RunSummary } from '../history/run-summary.js';
import { isNew, unmeasuredSince } from '../history/since.js';
import { amongText, sinceAmong } from '../history/since-text.js';
import { count } from './phrases.js';
import { configOption, shellWord } from './shell-word.js';

type Known = Pick<Report, 'models' | 'cells' | 'unmeasured'>;

/**
 * "4 cells of demo/cut that passed before could not be measured, since the run of 2026-11-20 (3 runs)"; null: none is
 * missed. A note of the run says why where that lasts; otherwise this is all that is said of them.
 */
export function unmeasuredClause(report: Known, earlier: readonly RunSummary[] = []): string | null {
  const cells = missedCells(report);
  const [first] = cells;
  if (first === undefined) return null;
  const since = sinceAmong(cells.map((cell) => unmeasuredSince(cell, earlier)));
  const end = `could not be measured${whyInBrief(report)}${since === null ? '' : `, ${amongText(since)}`}`;
  const passed = cells.every((cell) => passedBefore(cell, earlier));
  if (cells.length === 1) return `${first.key}${passed ? ', which passed before,' : ''} ${end}`;
  const models = new Set(cells.map(({ model }) => model));
  const where = models.size > 1 ? ` of ${count(models.size, 'model')}` : ` of ${first.model}`;
  return `${count(cells.length, 'cell')}${where}${passed ? ' that passed before' : ''} ${end}`;
}

/** {@link unmeasuredClause}, and then the reasons of what lasts. */
export function unmeasuredSentences(report: Known): readonly string[] {
  const clause = unmeasuredClause(report);
  return clause === null ? [] : [clause, ...unmeasuredGroupNotes(report)];
}

/** What models never answered: more than a bad moment in this run, or the same in the runs before. */
export function lastingGroups(
  { cells, unmeasured = [] }: Known,
  earlier: readonly RunSummary[] = [],
): readonly ReportUnmeasured[] {
  const lasts = (key: string): boolean => !isNew(unmeasuredSince({ key }, earlier));
  return cells.length === 0 ? [] : unmeasured.filter((group) => isLasting(group) || group.cells.some(lasts));
}

/** @param run the folder, as a command takes it */
export function unansweredEvidence(
  { cells }: ReportUnmeasured,
  run: string,
  config: string | undefined,
): string | null {
  const [first] = cells;
  return first === undefined ? null : `chatspec evidence ${run} ${shellWord(first)}${configOption(config)}`;
}

/** Notes tell the reasons of what lasts. */
function whyInBrief({ unmeasured = [] }: Known): string {
  const brief = unmeasured.filter((group) => !isLasting(group));
  if (brief.length === 0 || brief.length < unmeasured.length) return '';
  return ` (${endingsOf(kindsTogether(brief.map(({ kinds }) => kinds)))})`;
}
