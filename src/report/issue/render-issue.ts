import { digest } from '../../json/digest.js';
import type { Report } from '../../matrix/report-format.js';
import { deviationId, deviationsOf } from '../../matrix/standing/deviations.js';
import { comparable } from '../history/run-says.js';
import { summaryParts } from '../markdown/render-markdown.js';
import type { RenderContext } from '../render.js';
import { capped } from '../safe/capped.js';
import { markdown, markdownCode } from '../safe/markdown-text.js';
import { jsonText } from '../safe/visible-json.js';
import { sectionsOf } from '../sections/sections.js';
import { shownReport } from '../sections/shown-report.js';
import { issueTexts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { endedIn, stateOf } from './issue-state.js';

/** The text of one issue that stays: public format `chatspec-issue/1`. */
export interface Issue {
  readonly format: 'chatspec-issue/1';
  /**
   * `open`: something deviates. null: nothing deviates as far as was measured, but what did may still do so; leave the issue
   * as it is.
   */
  readonly state: 'open' | 'closed' | null;
  readonly title: string;
  /** Markdown (GFM) of at most 60 lines. */
  readonly body: string;
  readonly labels: readonly string[];
  /** What changed since the run before, to tell those who follow the issue; null: nothing did, or it is not known. */
  readonly comment: string | null;
  /** The same as long as the same deviates. */
  readonly fingerprint: string;
}

/** What an issue that tracks deviations should say after this run, as JSON for the programs that keep it. */
export function renderIssue(report: Report, context: RenderContext): Promise<string> {
  return Promise.resolve(`${jsonText(issueOf(report, context))}\n`);
}

export function issueOf(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'folder' | 'exit' | 'history' | 'summary'>,
): Issue {
  const clean = shownReport(report, context.redact);
  const sections = sectionsOf(clean, context);
  const earlier = comparable(context.history?.runs ?? []);
  const state = stateOf(clean, earlier);
  const now = state === null ? [] : deviationsOf(clean).map(deviationId);
  const { run } = clean;
  const { overview } = sections;
  return {
    format: 'chatspec-issue/1',
    state,
    title: say(issueTexts.title, { headline: overview.headline }),
    body: `${[
      `**${overview.glyph} ${markdown(overview.headline)}**`,
      ...summaryParts(sections),
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

const mostNamed = 20;

function commentOf(now: readonly string[], ended: readonly string[], before: readonly string[]): string | null {
  const fresh = now.filter((id) => !before.includes(id));
  if (fresh.length === 0 && ended.length === 0) return null;
  const part = (title: string, ids: readonly string[]): string[] =>
    ids.length === 0
      ? []
      : [
          title,
          ids
            .slice(0, mostNamed)
            .map((id) => `- ${markdownCode(capped(id, 300))}`)
            .join('\n'),
          ...(ids.length > mostNamed ? [say(issueTexts.more, { more: ids.length - mostNamed })] : []),
        ];
  return `${[...part(say(issueTexts.fresh), fresh), ...part(say(issueTexts.ended), ended)].join('\n\n')}\n`;
}
