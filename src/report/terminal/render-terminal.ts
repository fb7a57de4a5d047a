import widthOf from 'string-width';
import { isDeviating, isListedChange } from '../../matrix/changes/change.js';
import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { oneLine, visible, inert } from '../safe/escape.js';
import { changeRow, type ChangeRow } from '../sections/changes.js';
import { changeGlyphs, changeSigns, matrixOf } from '../sections/matrix.js';
import { modelCards } from '../sections/models.js';
import { suggestedSteps, type SuggestedStep } from '../sections/next-steps.js';
import { type Overview, overviewOf } from '../sections/overview.js';
import { type ShownRun, shownRun } from '../sections/shown-run.js';
import { shortStateSigns, stateSigns, usableOf, type UsableTable } from '../sections/usable.js';
import type { NeedState } from '../words/catalogue/overview.js';
import { shownReport } from '../safe/shown-report.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { fittedToColumns, wrapped } from './terminal-text.js';
import { createPaint, type Paint } from './paint.js';

const { labels, states } = texts;

/** A screen has room for so many lines of changes and so many models; report.md and index.html have all. */
const terminalLimits = { lines: 15, models: 15 };

type Context = Pick<
  RenderContext,
  'redact' | 'color' | 'columns' | 'folder' | 'exit' | 'history' | 'summary' | 'detail'
>;

/** The report for a terminal, never wider than `columns` (at least 40). */
export function renderTerminal(report: Report, context: Context): Promise<string> {
  const paint = createPaint(context.color);
  const width = Math.max(40, context.columns);
  const shown = shownReport(report, context.redact);
  const run = shownRun(shown, context);
  const overview = overviewOf(run);
  const { detail = 'usual', folder } = context;
  const changes = changeLines(run, width, paint, detail);
  // Where many changes fill the screen, the page has their evidence.
  const isCrowded = detail === 'usual' && changes.length > terminalLimits.lines - 2;
  const next = suggestedSteps(run).filter(({ kind }) => !isCrowded || kind !== 'evidence');
  // Why no model was reached says it all.
  const isSaid = isNothingMeasured(report) && overview.notes.length > 0;
  const blocks = [
    headLines(overview, detail === 'quiet' || isSaid ? [] : shown.run.notes, width, paint),
    changes,
    detail === 'verbose' ? [] : namedLines(overview, width, paint),
    detail === 'quiet' || isNothingMeasured(report) ? [] : usableLines(run, width, paint, detail),
    detail === 'verbose' ? modelLines(run, width, paint) : [],
    [
      ...(detail === 'quiet' ? [] : stepLines(next, width, paint)),
      ...(folder === null ? [] : [say(labels.report, { path: `${folder}/index.html` })]),
    ],
  ].filter((lines) => lines.length > 0);
  const between = detail === 'quiet' ? '\n' : '\n\n';
  return Promise.resolve(`${blocks.map((lines) => lines.join('\n')).join(between)}\n`);
}

const isNothingMeasured = ({ cells }: Report): boolean =>
  cells.every(({ verdict }) => verdict !== 'pass' && verdict !== 'fail' && verdict !== 'flaky');

function headLines(overview: Overview, further: readonly string[], width: number, paint: Paint): string[] {
  const { tone, glyph, headline, context, notes } = overview;
  const color = tone === 'bad' ? paint.red : tone === 'open' ? paint.yellow : paint.green;
  return [
    color(paint.bold(`${glyph} ${headline}`)),
    ...wrapped(context, width, '').map(paint.dim),
    ...[...notes.map(plainTerminalLine), ...further].flatMap((note) => noteLines(note, width)).map(paint.yellow),
  ];
}

/** Further lines of a note are lines of a file to paste: they are not wrapped, whatever their length. */
function noteLines(note: string, width: number): string[] {
  const [sentence = '', ...lines] = inert(visible(note)).split('\n');
  return [...wrapped(sentence, width, ''), ...lines.map((line) => `    ${line}`)];
}

function changeLines({ changes, names }: ShownRun, width: number, paint: Paint, detail: Context['detail']): string[] {
  const shown = detail === 'verbose' ? changes : changes.filter(isListedChange);
  const proven = shown.map((change) => oneChange(changeRow(change, names), width, paint));
  if (detail === 'verbose') return proven.flat();
  const sums = proven.map((_, at) => proven.slice(0, at + 1).flat().length);
  const fit = sums.filter((sum, at) => sum + (at < proven.length - 1 ? 1 : 0) <= terminalLimits.lines).length;
  const more = proven.length - fit;
  return [...proven.slice(0, fit).flat(), ...(more > 0 ? [paint.dim(`  ${say(labels.moreChanges, { more })}`)] : [])];
}

/** Cells that are in doubt, unreliable or not measured, by name. */
function namedLines({ named }: Overview, width: number, paint: Paint): string[] {
  return named.flatMap(({ text, names }) => {
    const all = names.map(({ name, note }) =>
      name === null ? note : plainTerminalLine(note === '' ? name : `${name} (${note})`),
    );
    return wrapped(`${text} ${all.join(', ')}`, width, '  ').map(paint.yellow);
  });
}

function oneChange({ kind, names, what, todo, since, scope }: ChangeRow, width: number, paint: Paint): string[] {
  const color = kind === 'gained' ? paint.green : isDeviating({ kind }) ? paint.red : paint.yellow;
  const when = [since, scope].filter((part) => part !== '').join('; ');
  const inBrackets = when === '' ? '' : ` (${when})`;
  return [
    ...wrapped(`${changeGlyphs[kind]} ${names}: ${plainTerminalLine(what)}${inBrackets}`, width, '').map(
      (line, index) => (index === 0 ? color(line) : line),
    ),
    ...wrapped(`→ ${plainTerminalLine(todo)}`, width, '  ').map(paint.dim),
  ];
}

/** A terminal shows code as it is. */
const plainTerminalLine = (text: string): string => oneLine(text.replaceAll('`', ''));

function paintedAs(state: NeedState | undefined, sign: string, paint: Paint): string {
  switch (state) {
    case 'unusable':
      return paint.red(sign);
    case 'conditions':
      return paint.yellow(sign);
    default:
      return sign;
  }
}

/** Columns of the terminal that each column of a table takes, with a blank behind it. */
function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const [first = []] = rows;
  return first.map((_, at) => 1 + Math.max(3, ...rows.map((row) => widthOf(row[at] ?? ''))));
}

const sumOfWidths = (widths: readonly number[]): number => widths.reduce((sum, one) => sum + one, 0);

/** Meanings of the signs; none where all is reliable. */
function stateLegend(rows: UsableTable['rows'], stateSign: typeof stateSigns): readonly string[] {
  const used = new Set(rows.flatMap(({ fields }) => fields.map(({ state }) => state)));
  if (used.size === 1 && used.has('reliable')) return [];
  return [[...used].map((state) => `${stateSign[state]} ${say(states[state])}`).join(', ')];
}

/** Heads of columns as the lines that they take: one, where no head has two. */
const titleLines = (words: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  (words[0] ?? [])
    .map((_, line) => words.map((parts) => parts[line] ?? ''))
    .filter((line) => line.some((part) => part !== ''));

/**
 * A row a model, a column a need. Names are never cut: where the heads have no room beside them, numbers stand for
 * heads.
 */
function usableLines(run: ShownRun, width: number, paint: Paint, detail: Context['detail']): string[] {
  const { columns, rows } = usableOf(matrixOf(run), run.names, run.report);
  if (columns.length === 0) return [];
  const isLong = detail !== 'verbose' && rows.length > terminalLimits.models;
  const shown = isLong ? rows.slice(0, terminalLimits.models) : rows;
  const names = shown.map(({ model: { name, note } }) => oneLine(note === null ? name : `${name} (${note})`));
  const longest = Math.max(10, ...names.map((name) => widthOf(name) + 2));
  const titles = columns.map(({ title }) => /^(?:(.*)[ ]|(.*-))?(\S+)$/.exec(title) ?? [title]);
  const words = titles.map(([title = '', top, cut = '', rest = title]) => [top ?? cut, rest]);
  const signsIn = (room: 'sign' | 'shortSign') =>
    shown.map(({ fields }) =>
      fields.map(({ change, [room]: sign }) => (change === null ? sign : `${sign} ${changeSigns[change]}`)),
    );
  const fullSigns = signsIn('sign');
  const fullWidths = columnWidths([...titleLines(words), ...fullSigns]);
  const hasRoom = longest + sumOfWidths(fullWidths) <= width + 1;
  const heads = hasRoom ? words : columns.map((_, at) => [String(at + 1)]);
  const signs = hasRoom ? fullSigns : signsIn('shortSign');
  const widths = hasRoom ? fullWidths : columnWidths(signs);
  const first = Math.min(longest, Math.max(4, width + 1 - (hasRoom ? 0 : sumOfWidths(widths))));
  const inRow = (texts: readonly string[]): readonly string[] =>
    texts.map((text, at) => (at === texts.length - 1 ? text : fittedToColumns(text, widths[at] ?? 4)));
  const lines = shown.map(({ fields }, row) => {
    const marks = inRow(signs[row] ?? []).map((sign, at) => paintedAs(fields[at]?.state, sign, paint));
    return `${fittedToColumns(names[row] ?? '', first)}${marks.join('')}`.trimEnd();
  });
  const legend = [
    ...(hasRoom ? [] : [columns.map(({ title }, at) => `${at + 1} ${title}`).join(', ')]),
    ...stateLegend(rows, hasRoom ? stateSigns : shortStateSigns),
  ];
  return [
    ...titleLines(heads).map((line) => paint.dim(`${' '.repeat(first)}${inRow(line).join('')}`.trimEnd())),
    ...lines,
    ...(isLong ? [paint.dim(say(labels.moreModels, { more: rows.length - terminalLimits.models }))] : []),
    ...legend.flatMap((text) => wrapped(text, width, '')).map(paint.dim),
  ];
}

function modelLines(run: ShownRun, width: number, paint: Paint): string[] {
  return modelCards(run).flatMap(({ name, uses, conditions, avoid, behaviours }) => [
    paint.bold(name),
    ...uses.flatMap(({ text, why }) => wrapped(`✓ ${plainTerminalLine(`${text} ${why}`.trim())}`, width, '  ')),
    ...conditions.flatMap((text) => wrapped(`◐ ${plainTerminalLine(text)}`, width, '  ')),
    ...avoid.flatMap((text) => wrapped(`✗ ${plainTerminalLine(text)}`, width, '  ')),
    ...behaviours.flatMap(({ title, advice }) =>
      wrapped(`${plainTerminalLine(title)}. ${plainTerminalLine(advice)}`, width, '  '),
    ),
  ]);
}

function stepLines(steps: readonly SuggestedStep[], width: number, paint: Paint): string[] {
  return steps.flatMap(({ text, command }) => [
    ...wrapped(text, width, ''),
    ...(command === null ? [] : [`  ${paint.bold(oneLine(command))}`]),
  ]);
}
