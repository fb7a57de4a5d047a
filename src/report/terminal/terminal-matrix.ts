import { unreachedWords } from '../../judge/unreached.js';
import widthOf from 'string-width';
import { groupBy } from '../../json/group-by.js';
import { type Deviation, deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report } from '../../matrix/report-format.js';
import { directionNames, directionOf, directions } from '../view/causes/direction.js';
import { oneLine } from '../safe/escape.js';
import { matrixView, shortNames } from '../view/matrix-view.js';
import { keywordsLeftOutText } from '../view/keywords-left-out.js';
import { fitted, type Paint, wrapped } from './terminal-text.js';
import { count, type ShownVerdict, shortTitle, shownVerdicts, verdictMarks } from '../view/phrases.js';

/** Columns that a mark takes, with the space before it. */
const markWidth = 4;
const widestCapability = 28;

/**
 * Capabilities as rows, models as columns under their names, where all names fit side by side. Otherwise the columns are
 * numbered, with a legend, so that a dozen models fit into 80 columns; further models go into further blocks.
 */
export function terminalMatrix(report: Report, width: number, paint: Paint): string[] {
  const { models, rows } = matrixView(report);
  if (models.length === 0) return [];
  const longest = Math.max(...rows.map(({ capability }) => capability.length), 10);
  const first = Math.min(longest, widestCapability);
  const named = namedColumns(report, width - first);
  if (named !== null) {
    return [
      paint.bold(`${' '.repeat(first)}${named.map(({ head }) => head).join('')}`),
      ...rows.map(
        ({ capability, marks }) =>
          fitted(capability, first) +
          marks.map((mark, index) => `${named[index]?.space ?? ''}${markText(mark?.verdict, paint)}`).join(''),
      ),
      '',
      ...legend(width, paint),
      ...apart(keywordLines(report, width, paint)),
      ...apart(modelLegend(report, width, paint, false)),
    ];
  }
  const perBlock = Math.max(1, Math.floor((width - first - 2) / markWidth));
  const blocks: string[] = [];
  for (let from = 0; from < models.length; from += perBlock) {
    const numbers = models.slice(from, from + perBlock).map((_, index) => String(from + index + 1).padStart(markWidth));
    blocks.push(
      ...(from === 0 ? [] : ['']),
      paint.bold(`${' '.repeat(first)}${numbers.join('')}`),
      ...rows.map(
        ({ capability, marks }) =>
          fitted(capability, first) +
          marks
            .slice(from, from + perBlock)
            .map((mark) => markText(mark?.verdict, paint))
            .join(''),
      ),
    );
  }
  return [
    ...[...blocks, '', ...legend(width, paint)],
    ...apart(keywordLines(report, width, paint)),
    ...apart(modelLegend(report, width, paint, true)),
  ];
}

/** A pass of the rows of keywords is none of the keywords that were left out. */
function keywordLines({ run }: Report, width: number, paint: Paint): string[] {
  const left = keywordsLeftOutText(run.keywords_left_out);
  return left === null ? [] : wrapped(`${left}.`, width, '').map(paint.dim);
}

/** The head of each column and the space that its marks need before them; null when the names do not fit. */
function namedColumns(
  { models }: Report,
  width: number,
): readonly { readonly head: string; readonly space: string }[] | null {
  const names = shortNames(models);
  const columns = models.map(({ id }) => {
    const name = oneLine(names.get(id) ?? id);
    const wide = Math.max(widthOf(name) + 2, markWidth);
    return { wide, head: `${' '.repeat(wide - widthOf(name))}${name}`, space: ' '.repeat(wide - markWidth) };
  });
  return columns.reduce((sum, { wide }) => sum + wide, 0) <= width ? columns : null;
}

function markText(verdict: ShownVerdict | undefined, paint: Paint): string {
  const { glyph, letter } = verdictMarks[verdict ?? 'not_run'];
  return `  ${colourOf(verdict, paint)(`${glyph}${letter}`)}`;
}

function colourOf(verdict: ShownVerdict | undefined, paint: Paint): (text: string) => string {
  switch (verdict) {
    case 'pass':
      return paint.green;
    case 'partial':
      return paint.cyan;
    case 'flaky':
      return paint.yellow;
    case 'fail':
      return paint.red;
    case 'inconclusive':
      return paint.magenta;
    case 'blocked':
    case 'not_run':
    case undefined:
      return paint.dim;
  }
}

function legend(width: number, paint: Paint): string[] {
  const text = shownVerdicts
    .map((verdict) => `${verdictMarks[verdict].glyph}${verdictMarks[verdict].letter} ${shortTitle(verdict)}`)
    .join(', ');
  return wrapped(text, width, '').map(paint.dim);
}

/** A blank line keeps it from looking like a part of the legend of the marks. */
const apart = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

/** What is to be said of each model; without numbers, models of which there is nothing to say are left out. */
function modelLegend(report: Report, width: number, paint: Paint, numbered: boolean): string[] {
  const names = shortNames(report.models);
  const deviating = groupBy(deviationsOf(report), ({ model }) => model);
  return report.models.flatMap(({ id, reachable, standing, retired, unreachable }, index) => {
    const number = numbered ? String(index + 1).padStart(markWidth - 1) : ' ';
    const state =
      standing === 'gone'
        ? `gone${retired ? ', as announced' : ''}`
        : reachable
          ? deviations(deviating.get(id) ?? [])
          : unreachable
            ? `${unreachedWords(unreachable)}: ${unreachable.detail ?? unreachable.class}`
            : 'not run';
    const line = fitted(`${names.get(id) ?? id}${state ? ` (${state})` : ''}`, width - markWidth).trimEnd();
    if (!numbered && state === '') return [];
    return `${number} ${reachable ? line : paint.dim(line)}`;
  });
}

/** "2 cells lost, 1 change of the wire" */
function deviations(found: readonly Deviation[]): string {
  return directionNames
    .map((direction) => ({ direction, number: found.filter(({ kind }) => directionOf(kind) === direction).length }))
    .flatMap(({ direction, number }) => (number === 0 ? [] : [count(number, ...directions[direction].counted)]))
    .join(', ');
}
