import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { oneLine, visible, inert } from '../safe/escape.js';
import type { Change } from '../sections/changes.js';
import { glyphs, stateSigns } from '../sections/matrix.js';
import { type Sections, sectionsOf } from '../sections/sections.js';
import { shownReport } from '../json/render-json.js';
import { labels, states } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { createPaint, fitted, wrapped, type Paint } from './terminal-text.js';

/** A screen has room for so many changes and models; report.md and index.html have all. */
const most = { changes: 6, models: 15 };

type Context = Pick<
  RenderContext,
  'redact' | 'color' | 'columns' | 'folder' | 'exit' | 'history' | 'summary' | 'detail'
>;

/** The report for a terminal, never wider than `columns` (at least 40). */
export function renderTerminal(report: Report, context: Context): Promise<string> {
  const paint = createPaint(context.color);
  const width = Math.max(40, context.columns);
  const shown = shownReport(report, context.redact);
  const sections = sectionsOf(shown, context);
  const { detail = 'usual', folder } = context;
  const blocks = [
    headLines(sections, detail === 'quiet' ? [] : shown.run.notes, width, paint),
    changeLines(sections, width, paint, detail),
    detail === 'quiet' || isNothingMeasured(report) ? [] : usableLines(sections, width, paint, detail),
    detail === 'verbose' ? modelLines(sections, width, paint) : [],
    detail === 'quiet' ? [] : stepLines(sections, width, paint),
    folder === null ? [] : [say(labels.report, { path: `${folder}/index.html` })],
  ].filter((lines) => lines.length > 0);
  const between = detail === 'quiet' ? '\n' : '\n\n';
  return Promise.resolve(`${blocks.map((lines) => lines.join('\n')).join(between)}\n`);
}

const isNothingMeasured = ({ cells }: Report): boolean =>
  cells.every(({ verdict }) => verdict !== 'pass' && verdict !== 'fail' && verdict !== 'flaky');

function headLines({ overview }: Sections, further: readonly string[], width: number, paint: Paint): string[] {
  const { tone, glyph, headline, context, notes } = overview;
  const color = tone === 'bad' ? paint.red : tone === 'open' ? paint.yellow : paint.green;
  return [
    color(paint.bold(`${glyph} ${headline}`)),
    ...wrapped(context, width, '').map(paint.dim),
    ...[...notes.map(plain), ...further].flatMap((note) => noteLines(note, width)).map(paint.yellow),
  ];
}

/** Further lines of a note are lines of a file to paste: they are not wrapped, whatever their length. */
function noteLines(note: string, width: number): string[] {
  const [sentence = '', ...lines] = inert(visible(note)).split('\n');
  return [...wrapped(sentence, width, ''), ...lines.map((line) => `    ${line}`)];
}

function changeLines({ changes }: Sections, width: number, paint: Paint, detail: Context['detail']): string[] {
  const proven = changes.filter(({ kind }) => kind !== 'doubt');
  const shown = detail === 'verbose' ? changes : proven.slice(0, most.changes);
  const more = detail === 'verbose' ? 0 : proven.length - shown.length;
  return [
    ...shown.flatMap((change) => oneChange(change, width, paint)),
    ...(more > 0 ? [paint.dim(`  ${say(labels.moreChanges, { more })}`)] : []),
  ];
}

function oneChange({ kind, names, what, todo, since }: Change, width: number, paint: Paint): string[] {
  const color = kind === 'gained' ? paint.green : kind === 'doubt' ? paint.yellow : paint.red;
  const told = since === '' ? '' : ` (${since})`;
  return [
    ...wrapped(`${glyphs[kind]} ${names}: ${plain(what)}${told}`, width, '').map((line, index) =>
      index === 0 ? color(line) : line,
    ),
    ...wrapped(`→ ${plain(todo)}`, width, '  ').map(paint.dim),
  ];
}

/** A terminal shows code as it is. */
const plain = (text: string): string => oneLine(text.replaceAll('`', ''));

/** A row a model, a column a need; the heads take two lines. */
function usableLines({ usable }: Sections, width: number, paint: Paint, detail: Context['detail']): string[] {
  const { columns, rows } = usable;
  if (columns.length === 0) return [];
  const longest = Math.max(
    ...rows.map(({ model }) => model.name.length + (model.note === null ? 0 : model.note.length + 3)),
  );
  const first = Math.max(10, Math.min(longest + 2, 26, Math.floor(width / 3)));
  const column = Math.max(3, Math.min(11, Math.floor((width - first) / columns.length)));
  const heads = columns.map(({ title }) => splitTitle(title, column - 1));
  const isLong = detail !== 'verbose' && rows.length > most.models;
  const shown = isLong ? rows.slice(0, most.models) : rows;
  const lines = shown.map(({ model, fields }) => {
    const marks = fields.map(({ state, change }, index) => {
      const shown = `${stateSigns[state]}${change === null ? '' : change === 'better' ? ' ▲' : ' ▼'}`;
      const text = index === fields.length - 1 ? shown : fitted(shown, column);
      return state === 'unusable' ? paint.red(text) : state === 'conditions' ? paint.yellow(text) : text;
    });
    return `${fitted(`${model.name}${model.note === null ? '' : ` (${model.note})`}`, first)}${marks.join('')}`.trimEnd();
  });
  const used = new Set(rows.flatMap(({ fields }) => fields.map(({ state }) => state)));
  const legend =
    used.size === 1 && used.has('reliable')
      ? []
      : wrapped([...used].map((state) => `${stateSigns[state]} ${say(states[state])}`).join(', '), width, '');
  return [
    ...[0, 1].map((at) =>
      paint.dim(
        `${' '.repeat(first)}${heads.map((head) => `${fitted(head[at] ?? '', column - 1)} `).join('')}`.trimEnd(),
      ),
    ),
    ...lines,
    ...(isLong ? [paint.dim(say(labels.moreModels, { more: rows.length - most.models }))] : []),
    ...legend.map(paint.dim),
  ];
}

/** "JSON by schema" on two lines. */
function splitTitle(title: string, width: number): readonly [string, string] {
  const words = title.split(' ');
  let top = words[0] ?? '';
  let at = 1;
  while (at < words.length - 1 && `${top} ${words[at] ?? ''}`.length <= width) top += ` ${words[at++] ?? ''}`;
  return words.length === 1 ? ['', top] : [top, words.slice(at).join(' ')];
}

function modelLines({ models }: Sections, width: number, paint: Paint): string[] {
  return models.flatMap(({ name, uses, conditions, avoid, behaviours }) => [
    paint.bold(name),
    ...uses.flatMap((text) => wrapped(`✓ ${plain(text)}`, width, '  ')),
    ...conditions.flatMap((text) => wrapped(`◐ ${plain(text)}`, width, '  ')),
    ...avoid.flatMap((text) => wrapped(`✗ ${plain(text)}`, width, '  ')),
    ...behaviours.flatMap(({ title, advice }) => wrapped(`${plain(title)}. ${plain(advice)}`, width, '  ')),
  ]);
}

function stepLines({ steps }: Sections, width: number, paint: Paint): string[] {
  return steps.flatMap(({ text, command }) => [
    ...wrapped(text, width, ''),
    ...(command === null ? [] : [`  ${paint.bold(oneLine(command))}`]),
  ]);
}
