import { needTitles } from '../../matrix/recommendations/needs.js';
import type { Report } from '../../matrix/report-format.js';
import type { RunSummary } from '../history/run-summary.js';
import { causesOf } from '../view/causes/causes-of.js';
import type { Cause } from '../view/causes/cause.js';
import { choicesOf } from '../view/choices/choices-of.js';
import { latencyText, tokensText } from '../view/choices/latency-text.js';
import { verdictOf } from '../view/verdict/verdict-of.js';
import { causeColumns, causeRow, markdownVerdict } from './markdown-causes.js';
import { documentOf, type Section } from './within-limit.js';
import { markdown, markdownBlock, markdownCode } from '../safe/markdown-text.js';
import { keywordsLeftOutText } from '../view/keywords-left-out.js';
import { matrixView, shortNames } from '../view/matrix-view.js';
import { shownReport } from '../view/shown-report.js';
import type { RenderContext } from '../render.js';
import { cellsLackingTrials, lackingText } from '../view/lacking-text.js';
import { cellsSentence, noDeviations, spentSentence } from '../view/summary.js';
import { verdictMarks } from '../view/phrases.js';
import { rateText } from '../view/rate-text.js';
import { unmeasuredReasons } from '../view/unmeasured-reasons.js';
import { uncountedLists, uncountedText } from '../view/uncounted.js';
import { unsettledText } from '../view/unsettled-text.js';
import { caveatsShown, settingsShown } from '../view/recommended.js';
import { unservedText } from '../view/unserved-text.js';
import { servedNews } from '../view/served-news.js';

/** report.md: the verdict, what changed by cause, and the matrix; then what explains it. */
export function renderMarkdown(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'folder' | 'exit' | 'history'>,
): Promise<string> {
  const clean = shownReport(report, context.redact);
  const causes = causesOf(clean, context.folder, context.history?.runs);
  return Promise.resolve(
    documentOf([
      text('# chatspec: what you can rely on each model to do'),
      text(markdownVerdict(verdictOf(clean, causes, context))),
      text(run(clean)),
      whatChanged(clean, causes, context.history?.runs),
      ...news(clean),
      ...lacking(clean),
      ...unsettled(clean),
      ...uncounted(clean),
      ...unmeasured(clean),
      ...rates(clean),
      ...choices(clean),
      matrix(clean),
      ...conditions(clean),
      ...behaviours(clean),
      ...recommendations(clean),
    ]),
  );
}

const text = (markdownText: string): Section => ({ kind: 'text', text: markdownText });

function run(report: Report): string {
  const { run } = report;
  const warnings = [
    ...(run.complete ? [] : ['**This run is truncated: part of it was not measured.**']),
    ...run.notes.map(markdownNote),
  ];
  return [
    `${markdown(cellsSentence(report))}.`,
    '',
    markdown(`${run.profile} run ${run.id}, started ${run.started_at}: ${spentSentence(report)}.`),
    ...warnings.flatMap((warning) => ['', `> ${warning}`]),
  ].join('\n');
}

/** Further lines of a note are lines of a file to paste. */
function markdownNote(note: string): string {
  const [sentence = '', ...lines] = note.split('\n');
  if (lines.length === 0) return markdown(sentence);
  return [markdown(sentence), '', ...markdownBlock(lines.join('\n'))].join('\n> ');
}

function whatChanged(report: Report, causes: readonly Cause[], earlier?: readonly RunSummary[]): Section {
  if (causes.length === 0) return text(`## What changed\n\n${markdown(noDeviations(report, earlier))}`);
  return { kind: 'table', title: '## What changed, by cause', head: causeColumns, rows: causes.map(causeRow) };
}

function news(report: Report): Section[] {
  const found = servedNews(report);
  return found.length === 0 ? [] : [text(`## News\n\n${found.map((one) => `- ${markdown(one)}`).join('\n')}`)];
}

function lacking(report: Report): Section[] {
  const cells = cellsLackingTrials(report);
  const rows = cells.map((cell) => [markdownCode(cell.key), markdown(lackingText(report, cell) ?? '')]);
  return table(`## Cells that lack trials (${cells.length})`, ['cell', ''], rows);
}

function unsettled(report: Report): Section[] {
  const cells = report.cells.filter((cell) => cell.unsettled);
  const rows = cells.map((cell) => [
    markdownCode(cell.key),
    markdown(unsettledText(cell)),
    markdown(cell.detail ?? ''),
  ]);
  const title =
    '## Unconfirmed changes (not counted)\n\nThere were too few trials to be sure, so these raise no alarm.';
  return table(title, ['cell', '', 'detail'], rows);
}

function uncounted(report: Report): Section[] {
  return uncountedLists(report).flatMap(({ title, cells }) => {
    const rows = cells.map((cell) => [
      markdownCode(cell.key),
      markdown(uncountedText(cell)),
      markdown(cell.detail ?? ''),
    ]);
    return table(`## ${title}`, ['cell', '', 'detail'], rows);
  });
}

function unmeasured(report: Report): Section[] {
  const rows = unmeasuredReasons(report).map(({ key, others, why }) => [markdownCode(key), others, markdown(why)]);
  return table('## Could not be measured', ['cell', '', 'reason'], rows);
}

function rates(report: Report): Section[] {
  const cells = report.cells.filter((cell) => cell.rate_change !== undefined);
  const rows = cells.map((cell) => [markdownCode(cell.key), markdown(rateText(cell))]);
  return table('## Rates that rose (not counted)', ['cell', ''], rows);
}

function choices(report: Report): Section[] {
  const rows = choicesOf(report).flatMap(({ title, choices: ofNeed }) =>
    ofNeed.map((one) => [
      markdown(title),
      markdownCode(one.model),
      [one.form, ...one.settings].map(markdownCode).join(' '),
      markdown(one.caveats.join('; ')),
      markdown(one.rate?.text ?? ''),
      markdown(latencyText(one.latency)),
      markdown(tokensText(one.latency)),
    ]),
  );
  const head = ['need', 'model', 'use', 'mind', 'passed', 'latency, p50 / p95', 'tokens and cost of an answer'];
  return table('## Recommendations: choose a model', head, rows);
}

function matrix(report: Report): Section {
  const { models, rows } = matrixView(report);
  const names = shortNames(models);
  const legend = Object.values(verdictMarks)
    .map(({ glyph, title }) => `${glyph} ${title}`)
    .join(', ');
  const lines = rows.map(({ capability, marks }) => [
    markdownCode(capability),
    ...marks.map((mark) => (mark ? verdictMarks[mark.verdict].glyph : '')),
  ]);
  const head = ['capability', ...models.map(({ id }) => markdown(names.get(id) ?? id))];
  const left = keywordsLeftOutText(report.run.keywords_left_out);
  const after = left === null ? legend : `${legend}\n\n${markdown(left)}.`;
  return { kind: 'table', title: '## Matrix', head, rows: lines, after };
}

function conditions({ capabilities }: Report): Section[] {
  const known = capabilities.filter(({ condition }) => condition !== null);
  const rows = known.map((one) => [
    markdownCode(one.model),
    markdownCode(one.capability),
    markdown(one.condition ?? ''),
  ]);
  return table('## Conditions', ['model', 'capability', 'passes'], rows);
}

function behaviours(report: Report): Section[] {
  const rows = report.behaviours.map(({ id, model, title, advice }) => [
    markdownCode(model),
    `${markdown(title)}<br>${markdownCode(id)}`,
    markdown(advice),
  ]);
  return table('## Behaviours', ['model', 'behaviour', 'advice'], rows);
}

function recommendations(report: Report): Section[] {
  const rows = report.recommendations.map((one) => {
    const { model, need, form, because, alternatives } = one;
    const elsewhere = form === null && alternatives.length > 0 ? `Passes on: ${alternatives.join(', ')}.` : null;
    return [
      markdownCode(model),
      markdown(needTitles[need]),
      form === null ? '**none**' : [form, ...settingsShown(one)].map(markdownCode).join(' '),
      markdown([because, elsewhere, caveatsShown(one)].filter((text) => text !== null).join(' ')),
    ];
  });
  const why = table('## Recommendations: why', ['model', 'need', 'use', 'because'], rows);
  const unserved = unservedText(report);
  if (unserved === null) return why;
  return [...why, text(`${rows.length === 0 ? '## Recommendations\n\n' : ''}${markdown(unserved)}`)];
}

/** Nothing where there are no rows. */
function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): Section[] {
  return rows.length === 0 ? [] : [{ kind: 'table', title, head, rows }];
}
