import { isJudgement } from '../../cell/verdict.js';
import { type RunSummary, verdictIn } from '../../matrix/run-summary.js';
import type { PastRun } from '../render.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { timeText } from './run-time.js';
import { type Mark, runMark } from './strip.js';

const { changeTitles } = texts;

/** One run in the table of runs. */
export interface HistoryRow {
  readonly time: string;
  readonly mark: Mark;
  /** "2 worse, 1 gone"; empty: nothing. */
  readonly changes: string;
  readonly passed: number;
  readonly judged: number;
  readonly profile: string;
  readonly requests: number;
  readonly cost: number | null;
  /** Page of the run, beside this one; null: there is none, or it is this run. */
  readonly href: string | null;
}

/**
 * The newest first.
 * @param own the id of the run that is shown
 */
export function historyRows(
  runs: readonly (RunSummary | PastRun)[],
  own: string,
  pages = '../',
): readonly HistoryRow[] {
  return runs.map((one) => historyRowOf(one, own, pages)).reverse();
}

function historyRowOf(one: RunSummary | PastRun, own: string, pages: string): HistoryRow {
  const { run, deviations: found } = one;
  const followUps = new Set(one.asked_for);
  const planned = Object.entries(one.cells).flatMap(([key, cell]) => (followUps.has(key) ? [] : verdictIn(cell)));
  const judged = planned.filter(isJudgement);
  const counts = [
    [found.regression, changeTitles.lost],
    [found.gone, changeTitles.gone],
    [found.changed, changeTitles.changed],
    [found.new, changeTitles.new],
    [found.wire, changeTitles.wire],
    [found.improvement, changeTitles.gained],
  ] as const;
  const page = 'page' in one && run.id !== own ? one.page : null;
  return {
    time: timeText(run.started_at),
    mark: runMark(one),
    changes: counts.flatMap(([count, title]) => (count === 0 ? [] : `${count} ${say(title)}`)).join(', '),
    passed: judged.filter((verdict) => verdict === 'pass').length,
    judged: judged.length,
    profile: run.profile,
    requests: run.requests,
    cost: run.cost,
    href: page === null ? null : `${pages}${page.split(/[/\\]/).map(encodeURIComponent).join('/')}`,
  };
}
