import { withoutModel } from '../../cell/cell-key.js';
import { verdicts } from '../../cell/verdict.js';
import type { Report } from '../../matrix/report-format.js';
import type { PastOf } from '../history/past.js';
import type { History, PastRun } from '../history/history.js';
import { doubtMeans } from '../history/in-doubt.js';
import { runRow } from '../history/run-row.js';
import type { RunSummary } from '../history/run-summary.js';
import { sinceText } from '../history/since-text.js';
import { glossary } from '../view/glossary.js';
import { listedBehaviours } from '../view/listed-behaviours.js';
import { cellsLackingTrials, lackingText } from '../view/lacking-text.js';
import type { Cause } from '../view/causes/cause.js';
import { verdictMarks } from '../view/phrases.js';
import { rateText } from '../view/rate-text.js';
import { cellsSentence, noDeviations, spentSentence } from '../view/summary.js';
import { uncountedLists, uncountedText } from '../view/uncounted.js';
import { unsettledText } from '../view/unsettled-text.js';
import { servedNews } from '../view/served-news.js';
import { causeViews, type exchangesOf } from './cause-view.js';
import { cellLink } from './cell-link.js';
import { choiceViews } from './choice-view.js';
import type { matrixPage } from './matrix-page.js';
import type { PageEvidence } from './page-evidence.js';
import type { SectionName } from './page-parts.js';
import { runFacts } from './run-facts.js';
import type { Pack } from './store/pack.js';
import { countsOf, type VerdictView } from '../view/verdict/verdict-of.js';
import { unservedText } from '../view/unserved-text.js';
import { modelPages } from './model-pages.js';
import { swapView } from './swap-view.js';

/** How many rows a printed page has room for; a longer matrix is printed without single capabilities. */
const onePage = 56;

export interface PageContent {
  readonly verdict: VerdictView;
  readonly causes: readonly Cause[];
  /** By cause: the exchange that stands for it. */
  readonly examples: readonly (string | null)[];
  /** By cause: those of its cells. */
  readonly exchanges: ReturnType<typeof exchangesOf>;
  readonly evidence: PageEvidence;
  readonly matrix: ReturnType<typeof matrixPage>;
  /** Takes what is shown on demand. */
  readonly pack: Pack;
  /** Of the run, for commands; null: unknown. */
  readonly folder: string | null;
  readonly past: PastOf | null;
  readonly history: History | null;
}

/** What stands before the sections, behind them, and everywhere. */
export function frameView(report: Report) {
  return {
    ...{ title: `chatspec: ${report.run.id}`, run: report.run },
    counts: countsOf(report).map(({ direction, glyph, count, text }) => ({
      direction,
      glyph,
      text,
      number: count.toLocaleString('en'),
    })),
  };
}

/** The sections of the page in their order, as plain data for their templates, each made when it is asked for. */
export function* sectionViews(report: Report, content: PageContent): Generator<readonly [SectionName, object]> {
  const { verdict, causes, examples, exchanges, evidence, matrix, pack, folder, past, history } = content;
  const linkTo = (key: string) => ({ key, name: withoutModel(key), href: cellLink(key) });
  yield [
    'verdict',
    {
      ...{
        run: report.run,
        minute: report.run.started_at.slice(0, 16).replace('T', ' '),
        truncated: !report.run.complete,
        notes: report.run.notes,
      },
      verdict: { ...verdict, ...withoutExit(verdict.sentence) },
      ...{ sentence: cellsSentence(report), spent: spentSentence(report), tiles: tiles(report) },
    },
  ];
  yield [
    'causes',
    {
      causes: causeViews(causes, { examples, exchanges }, evidence),
      ...{ noDeviations: noDeviations(report, history?.runs), news: servedNews(report) },
      lacking: cellsLackingTrials(report).map((cell) => ({ ...linkTo(cell.key), text: lackingText(report, cell) })),
      unsettled: report.cells
        .filter((cell) => cell.unsettled)
        .map((cell) => ({ ...linkTo(cell.key), text: unsettledText(cell), detail: cell.detail })),
      uncounted: uncountedLists(report).map(({ title, cells }) => ({
        title,
        cells: cells.map((cell) => ({ ...linkTo(cell.key), text: uncountedText(cell), detail: cell.detail })),
      })),
      risen: report.cells
        .filter((cell) => cell.rate_change !== undefined)
        .map((cell) => ({ ...linkTo(cell.key), text: rateText(cell) })),
    },
  ];
  yield ['choices', { choices: choiceViews(report, pack), unserved: unservedText(report) }];
  yield [
    'matrix',
    {
      ...matrix,
      few: matrix.models.length <= 16,
      long: printedLines(matrix) > onePage,
      remembers: past !== null && past.runs.length > 1,
    },
  ];
  yield ['models', { modelPages: modelPages(report, past), timed: (report.latency ?? []).length > 0 }];
  yield ['swap', swapView(report, folder)];
  yield [
    'behaviours',
    {
      behaviours: listedBehaviours(report, past).map((row) => ({
        ...row,
        models: row.models.map(({ since, ...one }) => ({
          ...one,
          since: since === null ? '' : sinceText(since),
          cells: one.cells.map(linkTo),
        })),
      })),
    },
  ];
  yield ['history', { history: historyView(past, report.run.id), unreadable: history?.unreadable ?? [] }];
  yield ['run', { run: { facts: runFacts(report) } }];
  yield ['glossary', { glossary: glossary() }];
}

/** A field of a printed matrix breaks its text; of many models, it shows its colour only. */
function printedLines({ families, models }: PageContent['matrix']): number {
  const characters = Math.max(4, Math.floor(140 / Math.max(1, models.length)));
  const linesOf = ({ text }: { text: string }) => (models.length > 16 ? 1 : Math.ceil(text.length / characters));
  const rows = families.flatMap((family) => family.rows);
  return rows.reduce((sum, { fields }) => sum + Math.max(1, ...fields.map(linesOf)), families.length);
}

/** null: no other run is known. */
function historyView(past: PastOf | null, own: string) {
  if (past === null || past.runs.length < 2) return null;
  const runs = past.runs.map((run) => historyRow(run, own)).reverse();
  const isAnyInDoubt = runs.some(({ doubt }) => doubt !== '');
  return {
    ...{ runs, caption: `The last ${runs.length} runs, the newest first` },
    doubtMeans: isAnyInDoubt ? doubtMeans : null,
  };
}

/** Another run has its page beside the folder of this one. */
function historyRow(run: RunSummary | PastRun, own: string) {
  const page = 'page' in run ? run.page : null;
  return {
    ...runRow(run),
    ...{ isThis: run.run.id === own, href: page && `../${page.split(/[/\\]/).map(encodeURIComponent).join('/')}` },
  };
}

/** The exit code stands at the end of the sentence, and is printed smaller. */
function withoutExit(sentence: string): { headline: string; exitText: string } {
  const [, headline = sentence, exitText = ''] = /^(.*) (\((?:by default, )?exit code .*\))$/s.exec(sentence) ?? [];
  return { headline, exitText };
}

function tiles({ cells }: Report) {
  return verdicts
    .map((verdict) => ({
      verdict,
      ...verdictMarks[verdict],
      count: cells.filter((cell) => cell.verdict === verdict).length,
    }))
    .filter(({ count: amount }) => amount > 0)
    .map(({ count: amount, ...tile }) => ({ ...tile, count: amount.toLocaleString('en') }));
}
