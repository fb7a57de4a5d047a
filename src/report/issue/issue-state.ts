import { splitAtModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import type { Report } from '../../matrix/report-format.js';
import { deviationId, deviationsOf } from '../../matrix/standing/deviations.js';
import type { RunSummary } from '../history/run-summary.js';
import { silentParts } from '../../matrix/silent-parts.js';

/**
 * What a run means for the issue that tracks deviations: open while something deviates; closed when nothing does and all
 * that deviated was measured; else null, and the issue stays as it is.
 * @param earlier the runs before that say what deviated, the oldest first
 */
export function stateOf(report: Report, earlier: readonly RunSummary[]): 'open' | 'closed' | null {
  if (report.run.shard !== undefined) return null;
  if (deviationsOf(report).length > 0 || silentParts(report).length > 0) return 'open';
  return openQuestions(report, earlier).length === 0 ? 'closed' : null;
}

/** Ids of deviations of the last run that this one shows to be gone. */
export function endedIn(report: Report, earlier: readonly RunSummary[]): readonly string[] {
  const now = new Set(deviationsOf(report).map(deviationId));
  const open = new Set(openQuestions(report, earlier));
  return (earlier.at(-1)?.deviating ?? []).filter((id) => !now.has(id) && !open.has(id));
}

/** Ids of what deviated when it was last measured, and was not measured now; without earlier runs, what was not measured. */
function openQuestions(report: Report, earlier: readonly RunSummary[]): readonly string[] {
  const judged = new Set(report.cells.filter(isJudged).map(({ key }) => key));
  const planned = new Set(report.cells.map(({ key }) => key));
  const answered = new Set(
    report.models.flatMap(({ id, reachable, standing }) => (reachable || standing === 'gone' ? id : [])),
  );
  if (earlier.length === 0)
    return report.cells.filter((cell) => !isJudged(cell) && cell.verdict !== 'blocked').map(({ key }) => key);
  const isPart = report.run.last_failed !== undefined || report.run.filters !== undefined;
  return [...new Set(earlier.flatMap(({ deviating = [] }) => deviating))].filter((id) => {
    const subject = id.slice(id.indexOf(' ') + 1);
    const isOfCell = !id.startsWith('gone ') && !id.startsWith('wire ');
    const last = earlier.findLast((run) => run.deviating?.includes(id) === true || wasMeasured(run, subject, isOfCell));
    if (last?.deviating?.includes(id) !== true) return false;
    if (!isOfCell) return !answered.has(splitAtModel(subject).model ?? subject);
    // What a whole run no longer plans was removed.
    return planned.has(subject) ? !judged.has(subject) : isPart;
  });
}

function wasMeasured({ cells, models }: RunSummary, subject: string, isOfCell: boolean): boolean {
  if (!isOfCell) return models[splitAtModel(subject).model ?? subject]?.reachable === true;
  return /^(?:pass|fail|flaky) /.test(cells[subject] ?? '');
}
