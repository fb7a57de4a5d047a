import type { Report } from '../../matrix/report-format.js';
import { changeTitles, labels, states } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { changeSigns, glyphs, stateSigns } from '../sections/marks.js';
import { type Field, signs } from '../sections/matrix.js';
import type { Sections } from '../sections/sections.js';
import type { PageData } from './page-data.js';

const stripSigns = {
  good: 'as expected',
  bad: 'not passing',
  mixed: 'in part',
  none: 'not asked',
  gone: 'gone',
} as const;

/** So many changes the overview shows; all stand under Changes. */
const mostChanges = 5;
/** Above so many models, the matrix has a row a model and signs only. */
const mostColumns = 20;
/** So many changes show a request and an answer without JavaScript. */
const mostPlain = 12;

/** Everything that the templates of the page show, as plain data. */
export function pageView(report: Report, sections: Sections, data: PageData, folder: string | null) {
  const { overview, changes, usable, matrix, models, history } = sections;
  const views = changes.map((change, index) => ({
    ...{ ...change, id: `change-${index + 1}`, glyph: glyphs[change.kind], title: say(changeTitles[change.kind]) },
    tone: change.kind === 'gained' ? 'good' : change.kind === 'doubt' ? 'quiet' : 'bad',
    models: change.models.join(' '),
    keys: change.cells.join(' '),
    links: change.cells.slice(0, 40).map((key) => ({ key, href: cellLink(key) })),
    more: Math.max(0, change.cells.length - 40),
    href: change.example === null ? `#change-${index + 1}` : cellLink(change.example.cell),
    marks: marksOf(change.strip),
    plain: index < mostPlain && change.example?.exchange ? data.plain(change.example.exchange) : null,
  }));
  const proven = views.filter(({ kind }) => kind !== 'doubt');
  const isWide = matrix.models.length > mostColumns;
  const rows = matrix.families.flatMap((family) => family.rows);
  return {
    title: sections.title,
    folder,
    tool: `${report.run.tool.name} ${report.run.tool.version} · ${report.run.id}`,
    nav: (['overview', 'changes', 'matrix', 'models', 'compare', 'history', 'run'] as const).map((id) => ({
      ...{ id, title: say(labels[id]) },
      count: id === 'changes' && proven.length > 0 ? proven.length : null,
    })),
    overview: {
      ...overview,
      marks: marksOf(overview.strip),
      runs: say(labels.lastRuns, { runs: overview.strip.length }),
      changes: proven.slice(0, mostChanges),
      more: proven.length > mostChanges ? say(labels.moreChanges, { more: proven.length - mostChanges }) : null,
      columns: usable.columns,
      states: Object.entries(states).map(([id, title]) => ({ id, title: say(title) })),
      isTimed: models.some(({ median }) => median !== null),
      rows: usable.rows.map(({ model, fields }) => ({
        ...model,
        fields: fields.map(({ state, change, parts }) => ({
          ...{ state, change, sign: stateSigns[state], changeSign: change === null ? '' : changeSigns[change] },
          label: say(states[state]),
          parts: parts.map(({ title, field }) => partOf(title, field)),
        })),
        median: barOf(models.find(({ id }) => id === model.id)?.median ?? null, models),
      })),
    },
    steps: sections.steps,
    changes: proven,
    doubts: views.filter(({ kind }) => kind === 'doubt'),
    matrix: {
      isWide,
      models: matrix.models,
      span: matrix.models.length + 1,
      families: matrix.families.map((family) => ({
        ...{ id: family.id, title: family.title },
        rows: family.rows.map((row) => ({ ...row, fields: row.fields.map((field) => fieldView(field)) })),
      })),
      heads: rows.map(({ capability, title }) => ({ capability, title })),
      lines: isWide
        ? matrix.models.map((model, index) => ({
            ...model,
            fields: rows.map(({ fields }) => ({ ...fieldView(fields[index] ?? null), words: '' })),
          }))
        : [],
      legend: Object.entries(signs).map(([verdict, sign]) => ({ verdict, sign, title: verdict.replace('_', ' ') })),
    },
    models: models.map((card, index) => ({
      ...{ ...card, anchor: `model-${index + 1}`, marks: marksOf(card.strip) },
      median: msText(card.median),
      p95: msText(card.p95),
      tokens: card.tokens === null ? '–' : Math.round(card.tokens).toLocaleString('en'),
      cost: card.cost === null ? '–' : card.cost.toPrecision(2),
      sort: { median: card.median ?? '', p95: card.p95 ?? '', tokens: card.tokens ?? '', cost: card.cost ?? '' },
    })),
    history: history.map((row) => ({
      ...row,
      tone: row.mark.tone,
      cost: row.cost === null ? '–' : row.cost.toFixed(4),
    })),
    hasHistory: history.length > 1,
    run: sections.run,
    notes: overview.notes,
    runNotes: report.run.notes,
  };
}

/** The address of a cell within the page. It stays the same from run to run. */
export const cellLink = (key: string): string => `#cell=${encodeURIComponent(key.toWellFormed())}`;

const marksOf = (strip: Sections['overview']['strip']) => ({
  marks: strip.map(({ tone, at }) => ({ tone, at: at.slice(0, 10) })),
  label: strip.map(({ tone }) => stripSigns[tone]).join(', '),
});

function partOf(title: string, { verdict, words, cells }: Field) {
  return { title, sign: signs[verdict], words, href: cells[0] === undefined ? null : cellLink(cells[0]) };
}

function fieldView(field: Field | null) {
  if (field === null) return { look: 'empty', sign: '', words: '', cell: null, changeSign: '' };
  const { verdict, change, words, cells } = field;
  return {
    look: change === null ? verdict : `${verdict} ${change}`,
    ...{ sign: signs[verdict], words, cell: cells[0] ?? null, changeSign: change === null ? '' : changeSigns[change] },
  };
}

const msText = (value: number | null): string =>
  value === null ? '–' : value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Number(value.toPrecision(3))} ms`;

/** A bar of at most 64 units beside the time. */
function barOf(value: number | null, models: Sections['models']) {
  const most = Math.max(...models.map(({ median }) => median ?? 0));
  const width = value === null || most === 0 ? 0 : Math.max(2, Math.round((64 * value) / most));
  return { text: value === null ? '–' : (value / 1000).toFixed(value < 1000 ? 3 : 1), width };
}
