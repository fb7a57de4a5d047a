import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { once } from '../../json/remembered.js';
import { isDeviating, isListedChange } from '../../matrix/changes/change.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { shownReport } from '../safe/shown-report.js';
import type { RenderContext } from '../render.js';
import { visible, visibleAll } from '../safe/escape.js';
import type { AskSection } from '../sections/ask.js';
import { groupBy } from '../../json/group-by.js';
import { changeSigns, changeGlyphs, signs, type Field } from '../sections/matrix.js';
import { changeRow } from '../sections/changes.js';
import { suggestedSteps } from '../sections/next-steps.js';
import { runFacts } from '../sections/run-facts.js';
import { dayText, millisecondsText } from '../sections/run-time.js';
import { acceptedAfter, modelStrip, stripOf, wireStrip } from '../sections/strip.js';
import { sinceDayText } from '../words/change-texts.js';
import { acceptCommand, evidenceCommand } from '../words/commands.js';
import { modelAnchor } from './compared-models.js';
import { knownFailures } from '../sections/known-failures.js';
import { shownRun } from '../sections/shown-run.js';
import { shortStateSigns } from '../sections/usable.js';
import type { NeedState } from '../words/catalogue/overview.js';
import { texts } from '../words/catalogue.js';
import { sayAll, say } from '../words/message.js';
import { pageData, type PageData } from './page-data.js';
import { type PageSections, pageSections } from './page-sections.js';
import { writtenJson } from '../../json/json.js';

const { askTexts, changeTitles, labels, page, states, stripTexts, verdictTexts } = texts;

/** So many changes the overview shows; all stand under Changes. */
const mostChanges = 5;
/** Above so many models, the matrix has a row a model and signs only. */
const mostColumns = 20;
/** So many changes show a request and an answer without JavaScript. */
const mostPlain = 12;

/** Everything that the templates of the page show, as plain data. */
function pageView(sections: PageSections, data: PageData, { isSite = false }: Pick<RenderContext, 'isSite'>) {
  const { report, folder, runs, names, overview, usable, matrix, models, history } = sections;
  const byModel = groupBy(report.cells, ({ model }) => model);
  const keysOf = (model = '') => (byModel.get(model) ?? []).map(({ key }) => key);
  const views = sections.changes.map((change, index) => ({
    ...changeRow(change, names),
    sinceDay: sinceDayText(change.since),
    detail: change.detail,
    notes: change.notes,
    example: change.example,
    marks: marksOf(change.kind === 'wire' ? wireStrip(runs, change) : stripOf(runs, change)),
    id: `change-${index + 1}`,
    glyph: changeGlyphs[change.kind],
    title: say(changeTitles[change.kind]),
    tone: change.kind === 'gained' ? 'good' : isDeviating(change) ? 'bad' : 'quiet',
    models: change.models.join(' '),
    keys: change.cells.join(' '),
    links: change.cells.slice(0, 40).map((key) => ({ key, href: cellLink(key) })),
    cellsLabel: say(labels.cells, { cells: change.cells.length }),
    more: change.cells.length > 40,
    moreLabel: say(labels.more, { more: change.cells.length - 40 }),
    href: change.example === null ? `#change-${index + 1}` : cellLink(change.example.cell),
    command:
      change.example === null || change.kind === 'gone'
        ? null
        : evidenceCommand(folder, change.example.cell, report.run.config),
    accept: change.accept.length === 0 ? null : acceptCommand(folder, change.accept, report.run.config),
    compare: pairLink(sections, change.models[0], change.cells.length > 0 ? change.cells : keysOf(change.models[0])),
    plain: index < mostPlain && change.example?.exchange ? data.plain(change.example.exchange) : null,
  }));
  const proven = views.filter(isListedChange);
  const known = knownFailures(report, names);
  const numbers = new Map(known.flatMap(({ number, cells }) => cells.map((key) => [key, number] as const)));
  const used = new Set(usable.rows.flatMap(({ fields }) => fields.map(({ state }) => state)));
  const keys = new Set(report.cells.map(({ key }) => key));
  // A link without the script leads to the field of the cell.
  const linked = new Set([
    ...views.flatMap(({ links, example }) => [
      ...links.map(({ key }) => key),
      ...(example === null ? [] : [example.cell]),
    ]),
    ...overview.named.flatMap(({ names }) => names.flatMap(({ name }) => name ?? [])),
    ...known.flatMap(({ cells }) => cells.slice(0, 1)),
  ]);
  const isWide = matrix.models.length > mostColumns;
  const rows = matrix.families.flatMap((family) => family.rows);
  const acceptedDays = acceptedAfter(report.cells, runs);
  return {
    page: sayAll(page),
    title: `${overview.glyph} ${overview.headline} · chatspec · ${dayText(report.run.started_at)}`,
    folder,
    siteFiles: isSite ? ['report.json', 'capabilities.json', 'summary.json', 'feed.xml'] : [],
    tool: `${report.run.tool.name} ${report.run.tool.version} · ${report.run.id}`,
    nav: (['overview', 'changes', 'matrix', 'models', 'compare', 'history', 'run'] as const).map((id) => ({
      id,
      title: say(page[id]),
      count: id === 'changes' && proven.length > 0 ? proven.length : null,
    })),
    overview: {
      ...overview,
      marks: marksOf(overview.strip),
      runs: say(labels.lastRuns, { runs: overview.strip.length }),
      named: overview.named.map(({ text, names }) => ({
        text,
        names: names.map((one) => ({
          ...one,
          href: one.name !== null && keys.has(one.name) ? cellLink(one.name) : null,
        })),
      })),
      changes: proven.slice(0, mostChanges),
      more: proven.length > mostChanges ? say(labels.moreChanges, { more: proven.length - mostChanges }) : null,
      columns: usable.columns,
      isBroken: usable.rows.some(({ fields }) => fields.some(({ breaks }) => breaks.length > 0)),
      breaksClient: say(labels.breaksClient),
      states: (Object.keys(states) as NeedState[])
        .filter((id) => used.has(id))
        .map((id) => ({ id, sign: shortStateSigns[id], title: say(states[id]) })),
      isTimed: models.some(({ median }) => median !== null),
      rows: usable.rows.map(({ model, fields }) => ({
        ...model,
        fields: fields.map(({ state, shortSign: sign, words, because, change, breaks, parts }) => ({
          state,
          words,
          because,
          change,
          sign,
          changeSign: change === null ? '' : changeSigns[change],
          label: say(states[state]),
          breaks: brokenText(breaks),
          parts: parts.map(({ title, field }) => fieldPart(title, field)),
        })),
        median: barOf(models.find(({ id }) => id === model.id)?.median ?? null, models),
      })),
    },
    steps: suggestedSteps(sections),
    changes: proven,
    doubts: views.filter((view) => !isListedChange(view)),
    matrix: {
      isWide,
      ask: askGroups(sections.ask.chips),
      models: matrix.models,
      span: matrix.models.length + 1,
      families: matrix.families.map((family) => ({
        id: family.id,
        title: family.title,
        rows: family.rows.map((row) => ({
          ...row,
          fields: row.fields.map((field) => ({
            ...fieldView(field, linked),
            known: [...new Set(field?.cells.flatMap((key) => numbers.get(key) ?? []))],
          })),
        })),
      })),
      known: known.map((one) => ({ ...one, href: one.cells[0] === undefined ? null : cellLink(one.cells[0]) })),
      heads: rows.map(({ capability, title }) => ({ capability, title })),
      lines: isWide
        ? matrix.models.map((model, index) => ({
            ...model,
            fields: rows.map(({ fields }) => ({ ...fieldView(fields[index] ?? null, linked), words: '' })),
          }))
        : [],
      legend: (Object.keys(signs) as (keyof typeof signs)[]).map((verdict) => ({
        verdict,
        sign: signs[verdict],
        title: say(verdictTexts[verdict]),
      })),
    },
    models: models.map((card, index) => ({
      ...card,
      anchor: modelAnchor(index),
      compare: pairLink(sections, card.id, keysOf(card.id)),
      marks: marksOf(card.strip),
      passedLabel: passedOf(card),
      quirks: card.quirks.map((one) => ({ ...one, text: quirkText(one) })),
      median: millisecondsText(card.median),
      p95: millisecondsText(card.p95),
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
    nights: history.toReversed().map(({ time, href }) => ({ time, href })),
    picture: matrix.models.map(({ id, name }) => ({
      name,
      marks: modelStrip(runs, id, runs.length).map(({ tone }, at) => {
        const { time = '', href = null } = history[runs.length - 1 - at] ?? {};
        const day = acceptedDays.get(at);
        const accepted = day === undefined ? '' : `; ${say(labels.accepted, { day: dayText(day) })}`;
        return { tone, href, isAccepted: day !== undefined, label: `${time}: ${say(stripTexts[tone])}${accepted}` };
      }),
    })),
    hasAccepted: acceptedDays.size > 0,
    isPriced: models.some(({ cost }) => cost !== null),
    day: dayText(report.run.started_at),
    headline: overview.headline,
    run: runFacts(report),
    notes: overview.notes,
    runNotes: report.run.notes,
  };
}

/** A comparison with the model that passes most of these cells; null: there is no other model. */
function pairLink({ rival, names }: PageSections, model: string | undefined, keys: readonly string[]) {
  const other = model === undefined ? null : rival(model, keys);
  if (model === undefined || other === null) {
    return null;
  }
  const pair = [model, other].map((id) => encodeURIComponent(id.toWellFormed())).join('..');
  return { pair, text: say(labels.compareWith, { model: names.model(other) }) };
}

const askGroups = (chips: AskSection['chips']) =>
  [...groupBy(chips, ({ group }) => group)].map(([group, some]) => ({ title: say(askTexts[group]), chips: some }));

/** The address of a cell within the page. It stays the same from run to run. */
const cellLink = (key: string): string => `#cell=${encodeURIComponent(key.toWellFormed())}`;

/** "`id_missing` in 5 of 40 answers; breaks: openai-go 1.2; read by: ai 5" */
function quirkText({ quirk, seen, of, breaks, reads }: PageSections['models'][number]['quirks'][number]): string {
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

const marksOf = (strip: PageSections['overview']['strip']) => ({
  marks: strip.map(({ tone, at }) => ({ tone, at: at.slice(0, 10) })),
  label: strip.map(({ tone }) => say(stripTexts[tone])).join(', '),
});

function fieldPart(title: string, { verdict, words, cells }: Field) {
  return { title, sign: signs[verdict], words, href: cells[0] === undefined ? null : cellLink(cells[0]) };
}

function fieldView(field: Field | null, linked: ReadonlySet<string>) {
  if (field === null) {
    return { look: 'empty', sign: '', words: '', breaks: '', cell: null, anchors: [], changeSign: '' };
  }
  const { verdict, change, words, breaks, cells } = field;
  return {
    look: change === null ? verdict : `${verdict} ${change}`,
    breaks: brokenText(breaks),
    sign: signs[verdict],
    words,
    cell: cells[0] ?? null,
    anchors: cells.slice(1).filter((key) => linked.has(key)),
    changeSign: change === null ? '' : changeSigns[change],
  };
}

/** A bar of at most 64 units beside the time. */
function barOf(value: number | null, models: PageSections['models']) {
  const most = Math.max(...models.map(({ median }) => median ?? 0));
  const width = value === null || most === 0 ? 0 : Math.max(2, Math.round((64 * value) / most));
  return { text: value === null ? '–' : (value / 1000).toFixed(value < 1000 ? 3 : 1), width };
}

const { browserTexts } = texts;

/**
 * One page that needs nothing else: no other file, no network, and no script to read what matters. Sends and writes
 * nothing.
 */
export async function renderPage(
  report: Report,
  context: Omit<RenderContext, 'failures' | 'color' | 'columns' | 'detail'>,
): Promise<string> {
  const shown = shownReport(slim(report), context.redact, visible);
  const sections = pageSections(shownRun(shown, context), context);
  const asked = new Map(report.cells.map(({ key, exchanges }) => [key, exchanges.length]));
  const data = await pageData(sections, context, asked);
  const { template, style, script } = pageParts();
  const policy = `default-src 'none'; style-src ${cspHash(style)}; script-src ${cspHash(script)}; base-uri 'none'; form-action 'none'`;
  const view = visibleAll(pageView(sections, data, context));
  return template({ ...view, style, script, policy, packed: data.packed });
}

/** A page shows few of the exchanges of a cell, and there can be a million of them. */
function slim(report: Report): Report {
  const fewOf = (cell: ReportCell): ReportCell =>
    cell.exchanges.length <= 2 ? cell : { ...cell, exchanges: cell.exchanges.slice(0, 2) };
  return { ...report, cells: report.cells.map(fewOf) };
}

/** Only the page's own style and script run, known by their digests; nothing is loaded or sent. */
const cspHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** In the order in which they need each other. */
const scripts = ['page', 'cell', 'search', 'compare', 'ask', 'start'];

/** Read and compiled once, when the first page is made. */
const pageParts = once(() => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const own = Handlebars.create();
  const require = createRequire(import.meta.url);
  /** The build compiles them, since that takes as long as to fill them. */
  const templateNamed = (name: string): Handlebars.TemplateDelegate<object> => {
    const built = fileURLToPath(new URL(`templates/${name}.cjs`, import.meta.url));
    if (!existsSync(built)) return own.compile<object>(read(`templates/${name}.hbs`));
    return own.template<object>(require(built) as TemplateSpecification);
  };
  // A long condition may go on in the next line behind its equals sign.
  own.registerHelper(
    'condition',
    (text: string) => new own.SafeString(escapedHtml(text).replaceAll('&#x3D;', '=<wbr>')),
  );
  own.registerHelper('coded', (text: string) => new own.SafeString(coded(text)));
  for (const name of ['strip', 'change', 'overview', 'matrix', 'models']) {
    own.registerPartial(name, templateNamed(name));
  }
  const template = templateNamed('page');
  const style = read('style/page.css');
  const script = [
    `(() => {\n'use strict';\nconst said = ${writtenJson({ ...sayAll(browserTexts), ...stripWords() })};`,
    ...scripts.map((name) => joinable(read(`browser/${name}.js`))),
    '})();',
  ].join('\n');
  return { template, style, script };
});

const stripWords = () =>
  Object.fromEntries(Object.entries(stripTexts).map(([tone, message]) => [`strip_${tone}`, say(message)]));

const escapedHtml = (text: string): string => Handlebars.escapeExpression(text);

/** Text between backticks is code. */
function coded(text: string): string {
  return escapedHtml(text).replace(/&#x60;(.+?)&#x60;/g, '<code>$1</code>');
}

/** A module for the scope that all modules of the page share: each name is its own in all of them. */
function joinable(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}
