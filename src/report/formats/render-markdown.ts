import { isListedChange } from '../../matrix/changes/change.js';
import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { markdown, markdownCode, markdownTable } from '../safe/escape.js';
import { changeGlyphs, changeSigns, matrixOf } from '../sections/matrix.js';
import { suggestedSteps } from '../sections/next-steps.js';
import { stateSigns, usableOf } from '../sections/usable.js';
import { changeRow } from '../sections/changes.js';
import { type ShownRun, shownRun } from '../sections/shown-run.js';
import { shownReport } from '../safe/shown-report.js';
import { type NamedCells, type Overview, overviewOf } from '../sections/overview.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';

const { labels, states } = texts;

/** So many rows a job summary has room for: it is read at a glance, and index.html has all. */
const markdownLimits = { changes: 20, models: 25 };

/** report.md: headline, changes, and what each model can be used for. */
export function renderMarkdown(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'folder' | 'exit' | 'history' | 'summary'>,
): Promise<string> {
  const shown = shownRun(shownReport(report, context.redact), context);
  const overview = overviewOf(shown);
  const parts = [
    `# ${overview.glyph} ${markdown(overview.headline)}`,
    ...summaryParts(shown, overview),
    ...suggestedSteps(shown).map(({ text, command }) =>
      command === null ? markdown(text) : `${markdown(text)} ${markdownCode(command)}`,
    ),
  ];
  return Promise.resolve(`${parts.join('\n\n')}\n`);
}

/** Text below the headline, also in an issue. */
export function summaryParts(shown: ShownRun, overview: Overview): readonly string[] {
  const usable = usableOf(matrixOf(shown), shown.names, shown.report);
  const proven = shown.changes.filter(isListedChange);
  const rows = proven
    .slice(0, markdownLimits.changes)
    .map((change) => changeRow(change, shown.names))
    .map(({ kind, names, what, todo, since, scope }) => [
      `${changeGlyphs[kind]} ${markdown(names)}`,
      codedText(what),
      codedText(todo),
      markdown([since, scope].filter((part) => part !== '').join('; ')),
    ]);
  const more = proven.length - rows.length;
  const moreModels = usable.rows.length - markdownLimits.models;
  const used = new Set(usable.rows.flatMap(({ fields }) => fields.map(({ state }) => state)));
  return [
    codedText(overview.context),
    ...overview.notes.map((note) => `> ${codedText(note)}`),
    ...(rows.length === 0 ? [] : [markdownTable(['model', 'what changed', 'what to do', 'since'], rows)]),
    ...(more > 0 ? [say(labels.moreChanges, { more })] : []),
    ...overview.named.map(({ text, names }) => `${markdown(text)} ${names.map(namedCell).join(', ')}`),
    ...(usable.columns.length === 0
      ? []
      : [
          markdownTable(
            ['model', ...usable.columns.map(({ title }) => markdown(title))],
            usable.rows
              .slice(0, markdownLimits.models)
              .map(({ model, fields }) => [
                markdown(model.note === null ? model.name : `${model.name} (${model.note})`),
                ...fields.map(({ sign, change, words }) =>
                  [sign, markdown(words), change === null ? '' : changeSigns[change]]
                    .filter((part) => part !== '')
                    .join(' '),
                ),
              ]),
          ),
          [...used].map((state) => `${stateSigns[state]} ${say(states[state])}`).join(', '),
        ]),
    ...(moreModels > 0 ? [say(labels.moreModels, { more: moreModels })] : []),
  ];
}

const namedCell = ({ name, note }: NamedCells['names'][number]): string =>
  name === null ? markdown(note) : `${markdownCode(name)}${note === '' ? '' : ` (${codedText(note)})`}`;

/** Text between backticks is code, and all else is text. */
function codedText(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? markdownCode(part.slice(1, -1)) : spaced(part)))
    .join('');
}

/** Escaping trims; a part of a sentence keeps its blanks. */
const spaced = (text: string): string =>
  `${text.startsWith(' ') ? ' ' : ''}${markdown(text)}${text.endsWith(' ') && text.trim() !== '' ? ' ' : ''}`;
