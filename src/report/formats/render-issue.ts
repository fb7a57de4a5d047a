import { isJudged, isJudgement } from '../../cell/verdict.js';
import { digest } from '../../json/digest.js';
import type { Report } from '../../matrix/report-format.js';
import { silentParts } from '../../matrix/run-exit-code.js';
import { deviationId, deviationsOf, readDeviationId, type NamedDeviation } from '../../matrix/standing/deviations.js';
import { comparable, verdictIn, type RunSummary } from '../../matrix/run-summary.js';
import { summaryParts } from './render-markdown.js';
import type { RenderContext } from '../render.js';
import { capped } from '../safe/capped.js';
import { markdown, markdownCode, safeJsonText } from '../safe/escape.js';
import { overviewOf } from '../sections/overview.js';
import { shownRun } from '../sections/shown-run.js';
import { shownReport } from '../safe/shown-report.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';

const { issueTexts } = texts;

/** The text of one issue that stays: public format `chatspec-issue/1`. */
export interface Issue {
  readonly format: 'chatspec-issue/1';
  /**
   * `open`: something deviates. null: nothing deviates as far as was measured, but what did may still do so; leave the
   * issue as it is.
   */
  readonly state: 'open' | 'closed' | null;
  readonly title: string;
  /** Markdown (GFM) of at most 60 lines. */
  readonly body: string;
  readonly labels: readonly string[];
  /** Changes since the run before, to tell those who follow the issue; null: none, or not known. */
  readonly comment: string | null;
  /** The same as long as the same deviates. */
  readonly fingerprint: string;
}

/** Text of an issue that tracks deviations, after this run, as JSON for the programs that keep it. */
export function renderIssue(report: Report, context: RenderContext): Promise<string> {
  return Promise.resolve(`${safeJsonText(issueOf(report, context))}\n`);
}

function issueOf(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'folder' | 'exit' | 'history' | 'summary'>,
): Issue {
  const clean = shownReport(report, context.redact);
  const shown = shownRun(clean, context);
  const overview = overviewOf(shown);
  const earlier = comparable(context.history?.runs ?? []);
  const state = issueState(clean, earlier);
  const now = state === null ? [] : deviationsOf(clean).map(deviationId);
  const { run } = clean;
  return {
    format: 'chatspec-issue/1',
    state,
    title: say(issueTexts.title, { headline: overview.headline }),
    body: `${[
      `**${overview.glyph} ${markdown(overview.headline)}**`,
      ...summaryParts(shown, overview),
      markdown(`${run.profile} run ${run.id}, ${run.started_at}, chatspec ${run.tool.version}`),
    ].join('\n\n')}\n`,
    labels: ['chatspec'],
    comment:
      earlier.length === 0 || state === null
        ? null
        : commentOf(now, endedIn(clean, earlier), earlier.at(-1)?.deviating ?? []),
    fingerprint: digest([...now].sort()).slice(0, 16),
  };
}

const maxCommentIds = 20;

function commentOf(now: readonly string[], ended: readonly string[], before: readonly string[]): string | null {
  const fresh = now.filter((id) => !before.includes(id));
  if (fresh.length === 0 && ended.length === 0) return null;
  const part = (title: string, ids: readonly string[]): string[] =>
    ids.length === 0
      ? []
      : [
          title,
          ids
            .slice(0, maxCommentIds)
            .map((id) => `- ${markdownCode(capped(id, 300))}`)
            .join('\n'),
          ...(ids.length > maxCommentIds ? [say(issueTexts.more, { more: ids.length - maxCommentIds })] : []),
        ];
  return `${[...part(say(issueTexts.fresh), fresh), ...part(say(issueTexts.ended), ended)].join('\n\n')}\n`;
}

/**
 * State of the issue that tracks deviations after a run: open while something deviates; closed when nothing does and
 * all that deviated was measured; else null, and the issue stays as it is.
 * @param earlier the runs before that say what deviated, the oldest first
 */
function issueState(report: Report, earlier: readonly RunSummary[]): 'open' | 'closed' | null {
  if (report.run.shard !== undefined) return null;
  if (deviationsOf(report).length > 0 || silentParts(report).length > 0) return 'open';
  return openQuestions(report, earlier).length === 0 ? 'closed' : null;
}

/** Ids of deviations of the last run that this one shows to be gone. */
function endedIn(report: Report, earlier: readonly RunSummary[]): readonly string[] {
  const now = new Set(deviationsOf(report).map(deviationId));
  const open = new Set(openQuestions(report, earlier));
  return (earlier.at(-1)?.deviating ?? []).filter((id) => !now.has(id) && !open.has(id));
}

/**
 * Ids of what deviated when it was last measured, and was not measured now; without earlier runs, what was not
 * measured.
 */
function openQuestions(report: Report, earlier: readonly RunSummary[]): readonly string[] {
  const judged = new Set(report.cells.filter(isJudged).map(({ key }) => key));
  const planned = new Set(report.cells.map(({ key }) => key));
  const answered = new Set(
    report.models.flatMap(({ id, reachable, standing }) => (reachable || standing === 'gone' ? id : [])),
  );
  if (earlier.length === 0) {
    return report.cells.filter((cell) => !isJudged(cell) && cell.verdict !== 'blocked').map(({ key }) => key);
  }
  const isPart = report.run.last_failed !== undefined || report.run.filters !== undefined;
  return [...new Set(earlier.flatMap(({ deviating = [] }) => deviating))].filter((id) => {
    const named = readDeviationId(id);
    if (named === null) return false;
    const { kind, subject, model } = named;
    const last = earlier.findLast((run) => run.deviating?.includes(id) === true || wasMeasured(run, named));
    if (last?.deviating?.includes(id) !== true) return false;
    if (kind === 'gone' || kind === 'wire') return !answered.has(model);
    // Cells that a whole run no longer plans were removed.
    return planned.has(subject) ? !judged.has(subject) : isPart;
  });
}

function wasMeasured({ cells, models }: RunSummary, { kind, subject, model }: NamedDeviation): boolean {
  if (kind === 'gone' || kind === 'wire') return models[model]?.reachable === true;
  const cell = cells[subject];
  return cell !== undefined && isJudgement(verdictIn(cell));
}
