import { createColors } from 'picocolors';
import { needNames, needTitles } from '../../matrix/recommendations/needs.js';
import type { Report } from '../../matrix/report-format.js';
import { causesOf } from '../view/causes/causes-of.js';
import { nothingMeasured } from '../view/verdict/nothing-measured.js';
import { verdictOf } from '../view/verdict/verdict-of.js';
import { causeLines, paintOf } from './terminal-causes.js';
import { oneLine, visible } from '../safe/escape.js';
import { inert } from '../safe/runner-commands.js';
import { firstOfEach } from '../view/first-of-each.js';
import { shownReport } from '../view/shown-report.js';
import type { RenderContext } from '../render.js';
import { cellsLackingTrials, lackingText } from '../view/lacking-text.js';
import { servedNews } from '../view/served-news.js';
import { cellsSentence, spentSentence } from '../view/summary.js';
import { terminalMatrix } from './terminal-matrix.js';
import { type Paint, wrapped } from './terminal-text.js';
import { rateText } from '../view/rate-text.js';
import { unmeasuredReasons } from '../view/unmeasured-reasons.js';
import { uncountedLists, uncountedText } from '../view/uncounted.js';
import { unsettledText } from '../view/unsettled-text.js';
import { alsoRecommended, formOf } from '../view/also-recommended.js';
import { caveatsShown, isDemanding } from '../view/recommended.js';
import { unservedText } from '../view/unserved-text.js';

/** A section shows at most this many entries, some of every model; the files of the run folder show all. */
const mostEntries = 12;

type Context = Pick<RenderContext, 'redact' | 'color' | 'columns' | 'folder' | 'exit' | 'history'>;

/** The report for a terminal, never wider than `columns` (at least 40). */
export function renderTerminal(report: Report, context: Context): Promise<string> {
  const paint = createColors(context.color);
  const width = Math.max(40, context.columns);
  const clean = shownReport(report, context.redact);
  const last = end(clean, context, width, paint);
  if (nothingMeasured(clean) !== null) return Promise.resolve(`${last.join('\n')}\n`);
  const sections = [
    terminalMatrix(clean, width, paint),
    conditions(clean, width, paint),
    behaviours(clean, width, paint),
    recommendations(clean, width, paint),
    lacking(clean, width, paint),
    unsettled(clean, width, paint),
    uncounted(clean, width, paint),
    unmeasured(clean, width, paint),
    rates(clean, width, paint),
    news(clean, width, paint),
    last,
  ];
  return Promise.resolve(
    `${sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n')}\n`,
  );
}

function conditions({ capabilities }: Report, width: number, paint: Paint): string[] {
  const known = capabilities.filter(({ condition }) => condition !== null);
  return section('Conditions', known, paint, (one) =>
    wrapped(`${one.model}  ${one.capability}  ${one.condition ?? ''}`, width, '  '),
  );
}

function behaviours(report: Report, width: number, paint: Paint): string[] {
  return section('Behaviours', report.behaviours, paint, ({ model, title, advice }) => [
    ...wrapped(`${model}: ${title}`, width, '  '),
    ...wrapped(advice, width, '    ').map(paint.dim),
  ]);
}

/** A first choice that passes everywhere needs no advice: its name is enough. */
function recommendations(report: Report, width: number, paint: Paint): string[] {
  const { recommendations: all } = report;
  const telling = needNames.flatMap((need) => {
    const ofNeed = all.filter((one) => one.need === need);
    const usual = ofNeed.find(({ form }) => form !== null)?.form;
    return ofNeed.filter((one) => one.form !== usual || isDemanding(one));
  });
  const lines = section('Recommendations', telling, paint, (one) => {
    const { model, need, form, because, alternatives } = one;
    const caveats = caveatsShown(one);
    const elsewhere =
      form === null && alternatives.length > 0 ? ` Passes on: ${alternatives.slice(0, 3).join(', ')}.` : '';
    return [
      ...wrapped(`${model}  ${needTitles[need]}: ${formOf(one)}`, width, '  '),
      ...wrapped(`${because}${elsewhere}`, width, '    ').map(paint.dim),
      ...(caveats === null ? [] : wrapped(caveats, width, '    ')),
    ];
  });
  const also = lines.length === 0 ? [] : alsoRecommended(all, new Set(telling));
  const named = [
    ...lines,
    ...(also.length === 0 ? [] : ['  Also recommended:']),
    ...also.flatMap((line) => wrapped(line, width, '    ')),
  ];
  const unserved = unservedText(report);
  if (unserved === null) return named;
  return [...(named.length === 0 ? [paint.bold('Recommendations (0)')] : named), ...wrapped(unserved, width, '  ')];
}

function lacking(report: Report, width: number, paint: Paint): string[] {
  return section('Cells that lack trials', cellsLackingTrials(report), paint, (cell) =>
    wrapped(`${cell.key}  ${oneLine(lackingText(report, cell) ?? '', 240)}`, width, '  '),
  );
}

function unsettled({ cells }: Report, width: number, paint: Paint): string[] {
  const open = cells.filter((cell) => cell.unsettled);
  return section('Unconfirmed changes (not counted)', open, paint, (cell) =>
    wrapped(`${cell.key}  ${unsettledText(cell)}${cell.detail ? `: ${oneLine(cell.detail, 200)}` : ''}`, width, '  '),
  );
}

function uncounted(report: Report, width: number, paint: Paint): string[] {
  return uncountedLists(report).flatMap(({ title, cells }, index) => [
    ...(index === 0 ? [] : ['']),
    ...section(title, cells, paint, (cell) =>
      wrapped(`${cell.key}  ${uncountedText(cell)}${cell.detail ? `: ${oneLine(cell.detail, 200)}` : ''}`, width, '  '),
    ),
  ]);
}

function unmeasured(report: Report, width: number, paint: Paint): string[] {
  return section('Could not be measured', unmeasuredReasons(report), paint, ({ key, others, why }) =>
    wrapped(`${[key, others].join(' ').trimEnd()}: ${oneLine(why, 200)}`, width, '  '),
  );
}

function rates({ cells }: Report, width: number, paint: Paint): string[] {
  const risen = cells.filter((cell) => cell.rate_change !== undefined);
  return section('Rates that rose (not counted)', risen, paint, (cell) =>
    wrapped(`${cell.key}  ${rateText(cell)}`, width, '  '),
  );
}

function news(report: Report, width: number, paint: Paint): string[] {
  const found = servedNews(report);
  if (found.length === 0) return [];
  return [paint.bold(`News (${found.length})`), ...found.flatMap((text) => wrapped(oneLine(text, 400), width, '  '))];
}

/** What a build log ends with. A red end begins with the first cause and its evidence; the summary comes after it. */
function end(report: Report, { folder, exit, history }: Context, width: number, paint: Paint): string[] {
  const causes = causesOf(report, folder, history?.runs);
  const { tone, sentence, baseline, next } = verdictOf(report, causes, { folder, exit, history });
  const verdict = wrapped(`${sentence}.`, width, '').map(paintOf(tone, paint));
  // They repeat why nothing was measured, or are about what would have been.
  const notes = nothingMeasured(report) === null ? report.run.notes : [];
  const shown = causeLines(causes, width, paint);
  const evidence = causes[0]?.evidence ?? null;
  return [
    ...(tone === 'good' ? [...verdict, ...shown] : [...shown, ...verdict]),
    ...(baseline.covered === 0 ? [] : wrapped(`${baseline.sentence}.`, width, '').map(paint.dim)),
    ...notes.flatMap((note) => noteLines(note, width)).map(paint.yellow),
    ...wrapped(cellsSentence(report), width, ''),
    ...wrapped(spentSentence(report), width, '').map(paint.dim),
    ...(folder === null ? [] : wrapped(`Report: ${folder}/index.html`, width, '')),
    // The end begins with the evidence of the first cause.
    ...next
      .filter(({ command }) => command === null || command !== evidence)
      .flatMap(({ text, command }) => [
        ...wrapped(text, width, ''),
        ...(command === null ? [] : wrapped(command, width, '  ').map(paint.bold)),
      ]),
  ];
}

/** Further lines of a note are lines of a file to paste: they are not wrapped, whatever their length. */
function noteLines(note: string, width: number): string[] {
  const [sentence = '', ...lines] = inert(visible(note)).split('\n');
  return [...wrapped(sentence, width, ''), ...lines.map((line) => `    ${line}`)];
}

function section<T extends { readonly model: string }>(
  title: string,
  entries: readonly T[],
  paint: Paint,
  show: (entry: T) => readonly string[],
): string[] {
  if (entries.length === 0) return [];
  const { shown, rest } = firstOfEach(entries, ({ model }) => model, mostEntries);
  return [
    paint.bold(`${title} (${entries.length})`),
    ...shown.flatMap(show),
    ...(rest.length > 0 ? [paint.dim(`  ... and ${rest.length} more in report.md and index.html`)] : []),
  ];
}
