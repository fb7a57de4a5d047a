import type { Report } from '../../matrix/report-format.js';
import { texts } from '../words/catalogue.js';
import { say, sayAll } from '../words/message.js';
import { changeSigns, glyphs, stateSigns, signs, type Field } from '../sections/matrix.js';
import type { Sections } from '../sections/sections.js';
import type { PageData } from './page-data.js';

const { changeTitles, labels, page, states, stripTexts, verdictTexts } = texts;

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
    cellsLabel: say(labels.cells, { cells: change.cells.length }),
    more: change.cells.length > 40,
    moreLabel: say(labels.more, { more: change.cells.length - 40 }),
    href: change.example === null ? `#change-${index + 1}` : cellLink(change.example.cell),
    marks: marksOf(change.strip),
    plain: index < mostPlain && change.example?.exchange ? data.plain(change.example.exchange) : null,
  }));
  const proven = views.filter(({ kind }) => kind !== 'doubt');
  const isWide = matrix.models.length > mostColumns;
  const rows = matrix.families.flatMap((family) => family.rows);
  return {
    page: sayAll(page),
    title: sections.title,
    folder,
    tool: `${report.run.tool.name} ${report.run.tool.version} · ${report.run.id}`,
    nav: (['overview', 'changes', 'matrix', 'models', 'compare', 'history', 'run'] as const).map((id) => ({
      ...{ id, title: say(page[id]) },
      count: id === 'changes' && proven.length > 0 ? proven.length : null,
    })),
    overview: {
      ...overview,
      marks: marksOf(overview.strip),
      runs: say(labels.lastRuns, { runs: overview.strip.length }),
      changes: proven.slice(0, mostChanges),
      more: proven.length > mostChanges ? say(labels.moreChanges, { more: proven.length - mostChanges }) : null,
      columns: usable.columns,
      isBroken: usable.rows.some(({ fields }) => fields.some(({ breaks }) => breaks.length > 0)),
      breaksClient: say(labels.breaksClient),
      states: Object.entries(states).map(([id, title]) => ({ id, title: say(title) })),
      isTimed: models.some(({ median }) => median !== null),
      rows: usable.rows.map(({ model, fields }) => ({
        ...model,
        fields: fields.map(({ state, change, breaks, parts }) => ({
          ...{ state, change, sign: stateSigns[state], changeSign: change === null ? '' : changeSigns[change] },
          label: say(states[state]),
          breaks: brokenText(breaks),
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
      legend: (Object.keys(signs) as (keyof typeof signs)[]).map((verdict) => ({
        ...{ verdict, sign: signs[verdict], title: say(verdictTexts[verdict]) },
      })),
    },
    models: models.map((card, index) => ({
      ...{ ...card, anchor: `model-${index + 1}`, marks: marksOf(card.strip) },
      passedLabel: passedOf(card),
      quirks: card.quirks.map((one) => ({ ...one, text: quirkText(one) })),
      median: msText(card.median),
      p95: msText(card.p95),
      tokens: card.tokens === null ? '–' : Math.round(card.tokens).toLocaleString('en'),
      cost: card.cost === null ? '–' : card.cost.toPrecision(2),
      sort: { median: card.median ?? '', p95: card.p95 ?? '', tokens: card.tokens ?? '', cost: card.cost ?? '' },
    })),
    history: history.map((row) => ({
      ...row,
      tone: row.mark.tone,
      passedLabel: passedOf(row),
      cost: row.cost === null ? '–' : row.cost.toFixed(4),
    })),
    hasHistory: history.length > 1,
    run: sections.run,
    notes: overview.notes,
    runNotes: report.run.notes,
  };
}

/** The address of a cell within the page. It stays the same from run to run. */
const cellLink = (key: string): string => `#cell=${encodeURIComponent(key.toWellFormed())}`;

/** "`id_missing` in 5 of 40 answers; breaks: openai-go 1.2; read by: ai 5" */
function quirkText({ quirk, seen, of, breaks, reads }: Sections['models'][number]['quirks'][number]): string {
  return [
    say(labels.quirk, { quirk, seen, of }),
    ...(breaks.length === 0 ? [] : [reads === undefined ? breaks.join('; ') : brokenText(breaks)]),
    ...(reads === undefined || reads.length === 0 ? [] : [say(labels.reads, { clients: reads.join(', ') })]),
  ].join('; ');
}

const brokenText = (clients: readonly string[]): string =>
  clients.length === 0 ? '' : say(labels.breaks, { clients: clients.join(', ') });

const passedOf = ({ passed, judged }: { readonly passed: number; readonly judged: number }): string =>
  say(labels.passed, { passed, of: judged });

const marksOf = (strip: Sections['overview']['strip']) => ({
  marks: strip.map(({ tone, at }) => ({ tone, at: at.slice(0, 10) })),
  label: strip.map(({ tone }) => say(stripTexts[tone])).join(', '),
});

function partOf(title: string, { verdict, words, cells }: Field) {
  return { title, sign: signs[verdict], words, href: cells[0] === undefined ? null : cellLink(cells[0]) };
}

function fieldView(field: Field | null) {
  if (field === null) return { look: 'empty', sign: '', words: '', breaks: '', cell: null, changeSign: '' };
  const { verdict, change, words, breaks, cells } = field;
  return {
    look: change === null ? verdict : `${verdict} ${change}`,
    breaks: brokenText(breaks),
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
