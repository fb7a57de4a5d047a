import { digest } from '../../json/digest.js';
import type { Report } from '../../matrix/report-format.js';
import { unansweredText } from '../../matrix/unmeasured/unmeasured-text.js';
import { saidByService } from '../../matrix/said-by-service.js';
import { missedCells } from '../../matrix/unmeasured/unmeasured-groups.js';
import { sum } from '../../stats/sum.js';
import { comparable } from '../history/run-says.js';
import type { RunSummary } from '../history/run-summary.js';
import { isNew, unmeasuredSince } from '../history/since.js';
import { amongFrom, amongText, sinceAmong } from '../history/since-text.js';
import { causeColumns, causeRow, markdownVerdict } from '../markdown/markdown-causes.js';
import { documentOf, type Section } from '../markdown/within-limit.js';
import type { RenderContext } from '../render.js';
import { capped } from '../safe/capped.js';
import { markdown, markdownCode } from '../safe/markdown-text.js';
import { jsonText } from '../safe/visible-json.js';
import type { Cause } from '../view/causes/cause.js';
import { causesOf } from '../view/causes/causes-of.js';
import { count } from '../view/phrases.js';
import { isShard } from '../view/is-shard.js';
import { shownReport } from '../view/shown-report.js';
import { shellWord } from '../view/shell-word.js';
import { unansweredEvidence } from '../view/unmeasured.js';
import { type VerdictView, verdictOf } from '../view/verdict/verdict-of.js';
import { measuredAgain } from './measured-again.js';
import { type IssueState, issueState } from './issue-state.js';

/** The text of one issue that stays: public format `chatspec-issue/1`. */
export interface Issue {
  readonly format: 'chatspec-issue/1';
  /** `open`: something deviates, or models never answer what they did. null: nothing deviates as far as was measured, but what did may still do so; leave the issue as it is. */
  readonly state: 'open' | 'closed' | null;
  readonly title: string;
  /** Markdown (GFM) of at most 60,000 bytes. */
  readonly body: string;
  readonly labels: readonly string[];
  /** What changed since the run before, to tell those who follow the issue; null: nothing did, or it is not known. */
  readonly comment: string | null;
  /** The same as long as the same deviates. */
  readonly fingerprint: string;
}

/** GitHub takes 65,536 characters of an issue, and of a comment. */
const mostBytes = 60_000;
const mostNamed = 30;
const mostOfName = 300;

/** What an issue that tracks deviations should say after this run, as JSON for the programs that keep it. */
export function renderIssue(report: Report, context: RenderContext): Promise<string> {
  return Promise.resolve(`${jsonText(issueOf(report, context))}\n`);
}

export function issueOf(
  report: Report,
  { redact, folder, exit, history }: Pick<RenderContext, 'redact' | 'folder' | 'exit' | 'history'>,
): Issue {
  const clean = shownReport(report, redact);
  const earlier = history?.runs ?? [];
  const found = issueState(clean, earlier);
  const causes = found.state === null ? [] : causesOf(clean, folder, earlier);
  const verdict = verdictOf(clean, causes, { folder, exit, history });
  const isCompared = comparable(earlier).length > 0;
  return {
    format: 'chatspec-issue/1',
    state: found.state,
    title: titleOf(found, verdict, missedCells(clean).length),
    body: documentOf(
      [
        text(markdownVerdict(verdict)),
        text(`${markdown(runSentence(clean))}${isCompared ? '' : ' Earlier runs are not known here.'}`),
        ...changes(found, isCompared),
        ...unansweredSections(found, earlier, clean, folder),
        ...whatDeviates(causes, isCompared),
      ],
      mostBytes,
      '60 kB in an issue',
    ),
    labels: ['chatspec'],
    comment: isCompared ? commentOf(found, clean, earlier) : null,
    fingerprint: digest(subjectsOf(found)).slice(0, 16),
  };
}

const text = (markdownText: string): Section => ({ kind: 'text', text: markdownText });

/** Words of chatspec only: a title is no Markdown, and nothing in it can be made inert. */
function titleOf({ state, open, unanswered }: IssueState, { counts }: VerdictView, missed: number): string {
  const cells = sum(unanswered.map((group) => group.cells.length));
  const unmeasured = cells === 0 ? [] : [`${count(cells, 'cell')} could not be measured`];
  if (state === 'open')
    return `Conformance: ${[...counts.map(({ text: changes }) => changes), ...unmeasured].join(', ')}`;
  if (state === null) return `Conformance: ${open.length > 0 ? 'not measured' : 'no deviations so far'}`;
  return `Conformance: no deviations${missed === 0 ? '' : `, ${count(missed, 'cell')} not measured`}`;
}

function runSentence({ run }: Report): string {
  return `${run.profile} run ${run.id}, started ${run.started_at}, chatspec ${run.tool.version}.`;
}

function changes({ deviations, ended, atTimes, open }: IssueState, isCompared: boolean): Section[] {
  const fresh = freshOf({ deviations, atTimes });
  return [
    ...(isCompared && fresh.length > 0
      ? [
          listOf(
            '## New in this run',
            fresh.map(({ id }) => id),
          ),
        ]
      : []),
    ...(atTimes.now.length > 0
      ? [listOf('## Failing at times, as others of the model and the capability did in the run before', atTimes.now)]
      : []),
    ...(ended.length > 0 ? [listOf('## Gone since the run before', ended)] : []),
    ...(atTimes.then.length > 0
      ? [listOf('## Not failing this time, while others of the model and the capability do at times', atTimes.then)]
      : []),
    ...(open.length > 0 ? [listOf('## Not measured in this run, so nobody knows', open)] : []),
  ];
}

/** What nothing in the run before explains. */
function freshOf({ deviations, atTimes }: Pick<IssueState, 'deviations' | 'atTimes'>): IssueState['deviations'] {
  return deviations.filter(({ id, since }) => isNew(since) && !atTimes.now.includes(id));
}

function listOf(title: string, ids: readonly string[]): Section {
  const more = ids.length - mostNamed;
  const lines = ids
    .slice(0, mostNamed)
    .map((id) => `- ${markdownCode(capped(id, mostOfName, 'index.html shows all'))}`);
  return text([title, '', ...lines, ...(more > 0 ? [`- and ${count(more, 'other')}`] : [])].join('\n'));
}

function subjectsOf({ deviations, unanswered }: IssueState): readonly string[] {
  return [...deviations.map(({ id }) => id), ...unanswered.flatMap(({ cells }) => cells)].sort();
}

/** What was never answered, since when, and how support sees it. */
function unansweredSections(
  { unanswered }: IssueState,
  earlier: readonly RunSummary[],
  { run }: Report,
  folder: string | null,
): Section[] {
  return unanswered.flatMap((group, index) => {
    const { model, cells, detail, exchanges } = group;
    const since = sinceAmong(cells.map((key) => unmeasuredSince({ key }, earlier)));
    const facts = [unansweredText(group), detail && saidByService(detail), since && amongText(since)]
      .filter(Boolean)
      .join('; ');
    const evidence = unansweredEvidence(group, shellWord(folder ?? 'RUN'), run.config);
    const lines = [
      ...(index === 0 ? ['## Could not be measured', ''] : []),
      `${markdownCode(model)}: ${markdown(facts)}`,
      '',
      ...(evidence === null
        ? []
        : [`${markdownCode(evidence)} (exchange ${exchanges.map(markdownCode).join(', ')})`, '']),
    ];
    return [text(lines.join('\n')), listOf('Its cells:', cells)];
  });
}

function whatDeviates(causes: readonly Cause[], isCompared: boolean): Section[] {
  if (causes.length === 0) return [];
  const rows = causes.map((cause) => [...(isCompared ? [markdown(amongFrom(cause.since))] : []), ...causeRow(cause)]);
  return [
    {
      kind: 'table',
      title: '## What deviates, by cause',
      head: [...(isCompared ? ['since'] : []), ...causeColumns],
      rows,
    },
  ];
}

function commentOf(
  { deviations, ended, atTimes, state, unanswered }: IssueState,
  report: Report,
  earlier: readonly RunSummary[],
): string | null {
  const fresh = freshOf({ deviations, atTimes });
  const missed = freshUnanswered(unanswered, earlier);
  const again = isShard(report) ? null : measuredAgain(report, earlier);
  if (fresh.length === 0 && ended.length === 0 && missed.length === 0 && again === null) return null;
  const closing = state === 'closed' ? [text(`Nothing deviates${ended.length > 0 ? ' any more' : ''}.`)] : [];
  return documentOf(
    [
      text(`Since the run before, in the run that started ${markdown(report.run.started_at)}:`),
      ...(fresh.length > 0
        ? [
            listOf(
              'New:',
              fresh.map(({ id }) => id),
            ),
          ]
        : []),
      ...(missed.length > 0 ? [listOf('No longer measured:', missed)] : []),
      ...(again === null ? [] : [text(markdown(again))]),
      ...(ended.length > 0 ? [listOf('Gone:', ended)] : []),
      ...closing,
    ],
    mostBytes,
  );
}

const freshUnanswered = (groups: IssueState['unanswered'], earlier: readonly RunSummary[]): readonly string[] =>
  groups.flatMap(({ cells }) => cells.filter((key) => isNew(unmeasuredSince({ key }, earlier))));
