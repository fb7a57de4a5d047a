import { sum } from '../../stats/sum.js';
import { cellsByKey } from '../../matrix/cells-by-key.js';
import { familyOf } from '../../matrix/capability-families.js';
import type { Enforcement } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import type { PastOf } from '../history/past.js';
import { sharesOf } from '../history/shares.js';
import { type Sparkline, sparkline } from '../history/sparkline.js';
import { type Direction, directionNames, directionOf, directions } from '../view/causes/direction.js';
import { type Mark, matrixView, type MatrixRow, shortNames } from '../view/matrix-view.js';
import { titlesIn } from '../view/titles.js';
import { count, shownVerdicts, type ShownVerdict, verdictMarks } from '../view/phrases.js';
import { shortCondition } from './short-condition.js';

/** How a service treats a schema keyword, where it is not simply enforced. */
export const treatments: Readonly<Record<Exclude<Enforcement, 'enforced'>, { glyph: string; title: string }>> = {
  ignored: { glyph: '○', title: 'ignored' },
  refused: { glyph: '⊗', title: 'refused' },
  broken: { glyph: '↯', title: 'broken' },
  unclear: { glyph: '¿', title: 'unclear' },
};

/** The gravest first: a mark of several cells shows one change. */
const gravest = directionNames.filter((direction) => direction !== 'gone' && direction !== 'wire');

/** A field of the matrix: one element of the page. */
export interface Field {
  /** Class names: its verdict or treatment, and its change. */
  readonly look: string;
  readonly text: string;
}

/** The matrix of the page: families of rows, with a field for each model. */
export function matrixPage(report: Report, past: PastOf | null) {
  const { models, rows } = matrixView(report);
  const names = shortNames(models);
  const titles = titlesIn(report);
  const cells = cellsByKey(report.cells);
  const changed = new Map<string, Direction>(
    deviationsOf(report).flatMap((one) => ('cell' in one ? [[one.cell.key, directionOf(one.kind)] as const] : [])),
  );
  const families = [...groupBy(rows, ({ capability }) => familyOf(capability))].map(([family, group]) => ({
    ...{ id: family, title: titles.family(family) },
    hasOwnTitle: titles.family(family) !== family,
    count: group.length,
    rows: group.map((row) => ({
      ...{ id: row.capability, title: titles.capability(row.capability) },
      hasOwnTitle: titles.capability(row.capability) !== row.capability,
      spark: past === null || past.runs.length < 2 ? null : rowSpark(row, past),
      fields: row.marks.map((mark) => fieldOf(mark, cells, changed)),
    })),
    sums: models.map((_, column) => sumOf(group, column)),
  }));
  return {
    models: models.map((model) => ({
      ...{ id: model.id, short: names.get(model.id) ?? model.id },
      note: model.standing === 'gone' ? 'gone' : model.reachable ? null : 'not reached',
    })),
    families,
    caption: `${count(rows.length, 'capability', 'capabilities')} of ${count(models.length, 'model')}`,
    legend: [
      ...shownVerdicts.map((verdict) => ({ look: verdict, ...verdictMarks[verdict] })),
      ...Object.entries(treatments).map(([name, { glyph, title }]) => ({
        look: name,
        glyph,
        title: `keyword ${title}`,
      })),
      ...gravest.map((change) => ({ look: `d-${change}`, ...directions[change] })),
    ].map(({ look, glyph, title }) => ({ look, glyph, title })),
  };
}

/** How a capability did so far, over all models. */
function rowSpark({ marks }: MatrixRow, past: PastOf): Pick<Sparkline, 'path' | 'text'> {
  const keys = marks.flatMap((mark) => mark?.cells ?? []);
  const { path, text } = sparkline(sharesOf(past, keys));
  return { path, text };
}

const nothing: Field = { look: '', text: '' };

function fieldOf(
  mark: Mark | undefined,
  cells: ReadonlyMap<string, ReportCell>,
  changed: ReadonlyMap<string, Direction>,
): Field {
  if (mark === undefined) return nothing;
  const change = gravest.find((one) => mark.cells.some((key) => changed.get(key) === one));
  const own = mark.cells.flatMap((key) => cells.get(key) ?? []);
  const treatment = treatmentOf(own);
  const { glyph } = treatment === null ? verdictMarks[mark.verdict] : treatments[treatment];
  const words = treatment === null ? wordsOf(mark, own) : treatments[treatment].title;
  return {
    look: `${treatment ?? mark.verdict}${change === undefined ? '' : ` dev d-${change}`}`,
    text: [glyph, change && directions[change].glyph, words].filter(Boolean).join(' '),
  };
}

/** What is done with a keyword, if all its judged cells agree and it is not simply enforced. */
function treatmentOf(own: readonly ReportCell[]): Exclude<Enforcement, 'enforced'> | null {
  const found = new Set(own.flatMap(({ enforcement }) => enforcement ?? []));
  const [only] = found;
  return only === undefined || found.size > 1 || only === 'enforced' ? null : only;
}

/** What stands beside the glyph: the condition, the rate or what went wrong. */
function wordsOf(mark: Mark, own: readonly ReportCell[]): string | null {
  const condition = shortCondition(mark);
  if (condition !== null) return condition;
  if (mark.verdict === 'flaky') return rateOf(own);
  if (mark.verdict !== 'fail') return null;
  const ways = new Set(own.filter(({ verdict }) => verdict === 'fail').map(shortFailure));
  const [only] = ways;
  return ways.size === 1 && only !== undefined ? only : null;
}

function rateOf(own: readonly ReportCell[]): string | null {
  const flaky = own.filter(({ verdict }) => verdict === 'flaky');
  const [passed, total] = [flaky.map(({ trials }) => trials.passed), flaky.map(({ trials }) => trials.total)].map(sum);
  return passed === undefined || total === undefined || total === 0 ? null : `${passed}/${total}`;
}

/** "HTTP 500", "empty content" */
function shortFailure({ class: kind, status }: ReportCell): string {
  if (kind === null) return '';
  return kind === 'http_error' && status !== null ? `HTTP ${status}` : kind.replaceAll('_', ' ');
}

const worst: readonly ShownVerdict[] = ['fail', 'flaky', 'partial', 'inconclusive', 'blocked', 'not_run'];

/** "7/9": how many capabilities of a family pass for a model, of those that were judged. */
function sumOf(rows: readonly MatrixRow[], column: number): Field {
  const marks = rows.flatMap(({ marks: all }) => all[column] ?? []);
  const judged = marks.filter(({ verdict }) => !['inconclusive', 'blocked', 'not_run'].includes(verdict));
  const passing = judged.filter(({ verdict }) => verdict === 'pass').length;
  if (marks.length === 0) return nothing;
  const look = worst.find((verdict) => marks.some((mark) => mark.verdict === verdict)) ?? 'pass';
  return judged.length === 0
    ? { look, text: verdictMarks[look].glyph }
    : {
        look: passing === judged.length ? 'pass' : passing === 0 ? 'fail' : 'partial',
        text: `${passing}/${judged.length}`,
      };
}
