import { deviationsOf } from '../../matrix/standing/deviations.js';
import { needTitles } from '../../matrix/recommendations/needs.js';
import type { Report } from '../../matrix/report-format.js';
import { conditionShown } from '../view/condition-text.js';
import { deviationView } from '../view/deviation-view.js';
import { markdown, markdownBlock, markdownCode, markdownTable } from '../safe/markdown-text.js';
import { matrixView, shortNames } from '../view/matrix-view.js';
import { shownReport } from '../view/shown-report.js';
import type { RenderContext } from '../render.js';
import { cellsLackingTrials, lackingText } from '../view/lacking-text.js';
import { nextSteps } from '../view/next-steps.js';
import { cellsSentence, noDeviations, spentSentence } from '../view/summary.js';
import { verdictMarks } from '../view/phrases.js';
import { rateText } from '../view/rate-text.js';
import { unsettledText } from '../view/unsettled-text.js';
import { caveatsShown, settingsShown } from '../view/recommended.js';
import { servedNews } from '../view/wire-view.js';

/** A section shows at most this many rows, since job summaries are limited; the HTML report shows all. */
const mostRows = 50;

/** report.md: what changed and what to do first, then the matrix, behaviours and advice. */
export function renderMarkdown(report: Report, context: Pick<RenderContext, 'redact' | 'folder'>): Promise<string> {
  const clean = shownReport(report, context.redact);
  const sections = [
    head(clean),
    deviations(clean),
    news(clean),
    lacking(clean),
    unsettled(clean),
    rates(clean),
    nextSteps(clean, context.folder)
      .map(({ text, command }) => (command === null ? markdown(text) : `${markdown(text)} ${markdownCode(command)}`))
      .join('\n\n'),
    matrix(clean),
    conditions(clean),
    behaviours(clean),
    recommendations(clean),
  ];
  return Promise.resolve(`${sections.filter((section) => section !== '').join('\n\n')}\n`);
}

function head(report: Report): string {
  const { run } = report;
  const warnings = [
    ...(run.complete ? [] : ['**This run is truncated: part of it was not measured.**']),
    ...run.notes.map(markdownNote),
  ];
  return [
    '# chatspec: what you can rely on each model to do',
    '',
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

function deviations(report: Report): string {
  const found = deviationsOf(report).map(deviationView);
  if (found.length === 0) return `## Deviations\n\n${markdown(noDeviations(report))}`;
  const rows = found.map(({ kind, key, model, what, detail, note, support }) => [
    `**${kind}**`,
    markdownCode(key ?? model),
    [what, detail, note && `baseline: ${note}`]
      .filter((text) => text !== null)
      .map(markdown)
      .join('<br>'),
    support === null ? '' : markdownCode(support),
  ]);
  return `## Deviations (${found.length})\n\n${table(['', 'cell', 'what', 'for support'], rows)}`;
}

function news(report: Report): string {
  const found = servedNews(report);
  return found.length === 0 ? '' : `## News\n\n${found.map((text) => `- ${markdown(text)}`).join('\n')}`;
}

function lacking(report: Report): string {
  const cells = cellsLackingTrials(report);
  if (cells.length === 0) return '';
  const rows = cells.map((cell) => [markdownCode(cell.key), markdown(lackingText(report, cell) ?? '')]);
  return `## Cells that lack trials (${cells.length})\n\n${table(['cell', ''], rows)}`;
}

function unsettled(report: Report): string {
  const cells = report.cells.filter((cell) => cell.unsettled);
  if (cells.length === 0) return '';
  const rows = cells.map((cell) => [
    markdownCode(cell.key),
    markdown(unsettledText(cell)),
    markdown(cell.detail ?? ''),
  ]);
  return `## Unconfirmed changes (not counted)\n\nThere were too few trials to be sure, so these raise no alarm.\n\n${table(['cell', '', 'detail'], rows)}`;
}

function rates(report: Report): string {
  const cells = report.cells.filter((cell) => cell.rate_change !== undefined);
  if (cells.length === 0) return '';
  const rows = cells.map((cell) => [markdownCode(cell.key), markdown(rateText(cell))]);
  return `## Rates that rose (not counted)\n\n${table(['cell', ''], rows)}`;
}

function matrix(report: Report): string {
  const { models, rows } = matrixView(report);
  const names = shortNames(models);
  const legend = Object.values(verdictMarks)
    .map(({ glyph, title }) => `${glyph} ${title}`)
    .join(', ');
  const lines = rows.map(({ capability, marks }) => [
    markdownCode(capability),
    ...marks.map((mark) => (mark ? verdictMarks[mark.verdict].glyph : '')),
  ]);
  return `## Matrix\n\n${table(['capability', ...models.map(({ id }) => markdown(names.get(id) ?? id))], lines, Infinity)}\n\n${legend}`;
}

function conditions({ capabilities }: Report): string {
  const known = capabilities.filter(({ condition }) => condition !== null);
  if (known.length === 0) return '';
  const rows = known.map((one) => [
    markdownCode(one.model),
    markdownCode(one.capability),
    markdown(conditionShown(one) ?? ''),
  ]);
  return `## Conditions\n\n${table(['model', 'capability', 'passes'], rows)}`;
}

function behaviours(report: Report): string {
  if (report.behaviours.length === 0) return '';
  const rows = report.behaviours.map(({ id, model, title, advice }) => [
    markdownCode(model),
    `${markdown(title)}<br>${markdownCode(id)}`,
    markdown(advice),
  ]);
  return `## Behaviours\n\n${table(['model', 'behaviour', 'advice'], rows)}`;
}

function recommendations(report: Report): string {
  if (report.recommendations.length === 0) return '';
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
  return `## Recommendations\n\n${table(['model', 'need', 'use', 'because'], rows, 200)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[], most = mostRows): string {
  const more = rows.length > most ? `\n\n${rows.length - most} more in the HTML report.` : '';
  return markdownTable(head, rows.slice(0, most)) + more;
}
