import { withoutModel } from '../../cell/cell-key.js';
import { verdicts } from '../../cell/verdict.js';
import { needNames, needTitles } from '../../matrix/recommendations/needs.js';
import type { Report } from '../../matrix/report-format.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { PastOf } from '../history/past.js';
import type { History, PastRun } from '../history/history.js';
import { runRow } from '../history/run-row.js';
import type { RunSummary } from '../history/run-summary.js';
import { dayOf } from '../history/since-text.js';
import { glossary } from '../view/glossary.js';
import { listedBehaviours } from '../view/listed-behaviours.js';
import { cellsLackingTrials, lackingText } from '../view/lacking-text.js';
import { nextSteps } from '../view/next-steps.js';
import { count, verdictMarks } from '../view/phrases.js';
import { rateText } from '../view/rate-text.js';
import { caveatsShown, settingsShown } from '../view/recommended.js';
import { cellsSentence, noDeviations, spentSentence, standingSentence } from '../view/summary.js';
import { unsettledText } from '../view/unsettled-text.js';
import { servedNews } from '../view/wire-view.js';
import { type Cause, causeKinds } from './cause-list.js';
import { cellLink } from './cell-link.js';
import { matrixPage } from './matrix-page.js';
import type { PageEvidence } from './page-evidence.js';
import { modelPages } from './model-pages.js';

/** What the page is made of beside the report. */
export interface Around {
  readonly evidence: PageEvidence;
  readonly folder: string | null;
  readonly past: PastOf | null;
  readonly history: History | null;
}

/** All that stands in the page as HTML, as plain data for its templates. */
export function htmlView(report: Report, causes: readonly Cause[], { evidence, folder, past, history }: Around) {
  const matrix = matrixPage(report);
  const linkTo = (key: string) => ({ key, name: withoutModel(key), href: cellLink(key) });
  return {
    title: `chatspec: ${report.run.id}`,
    run: { ...report.run, facts: runFacts(report) },
    ...{ truncated: !report.run.complete, notes: report.run.notes },
    verdict: verdictView(report, causes),
    ...{ spent: spentSentence(report), next: nextSteps(report, folder), tiles: tiles(report) },
    deviationCount: deviationsOf(report).length,
    causes: causes.map(({ cells, exchange, ...cause }) => ({
      ...causeKinds[cause.kind],
      ...cause,
      amount: cells.length > 1 ? count(cells.length, 'cell') : null,
      cells: cells.map(linkTo),
      plain: (exchange !== null && evidence.plain.get(exchange)) || null,
    })),
    ...{ noDeviations: noDeviations(report), news: servedNews(report) },
    lacking: cellsLackingTrials(report).map((cell) => ({ ...linkTo(cell.key), text: lackingText(report, cell) })),
    unsettled: report.cells
      .filter((cell) => cell.unsettled)
      .map((cell) => ({ ...linkTo(cell.key), text: unsettledText(cell), detail: cell.detail })),
    risen: report.cells
      .filter((cell) => cell.rate_change !== undefined)
      .map((cell) => ({ ...linkTo(cell.key), text: rateText(cell) })),
    matrix: { ...matrix, few: matrix.models.length <= 16 },
    behaviours: listedBehaviours(report, past).map((row) => ({
      ...row,
      models: row.models.map((one) => ({ ...one, day: dayOf(one.since), cells: one.cells.map(linkTo) })),
    })),
    needs: needNames.map((need) => needTitles[need]),
    recommendations: report.models
      .filter(({ reachable }) => reachable)
      .map(({ id }) => ({
        model: id,
        needs: needNames.map((need) => recommendationView(report, id, need)),
      })),
    modelPages: modelPages(report, past),
    history:
      past === null || past.runs.length < 2 ? null : past.runs.map((run) => historyRow(run, report.run.id)).reverse(),
    unreadable: history?.unreadable ?? [],
    glossary: glossary(),
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

function verdictView(report: Report, causes: readonly Cause[]) {
  const amounts = new Map<Cause['kind'], number>();
  for (const { kind, cells } of causes) amounts.set(kind, (amounts.get(kind) ?? 0) + Math.max(1, cells.length));
  return {
    tone: causes.length > 0 ? 'alarm' : 'calm',
    headline: standingSentence(report) ?? 'There is no accepted baseline yet',
    sentence: cellsSentence(report),
    kinds: [...amounts].map(([kind, amount]) => ({ kind, ...causeKinds[kind], count: amount })),
  };
}

function tiles({ cells }: Report) {
  return verdicts
    .map((verdict) => ({
      verdict,
      ...verdictMarks[verdict],
      count: cells.filter((cell) => cell.verdict === verdict).length,
    }))
    .filter(({ count: amount }) => amount > 0);
}

function recommendationView({ recommendations }: Report, model: string, need: (typeof needNames)[number]) {
  const found = recommendations.find((one) => one.model === model && one.need === need);
  if (!found) return null;
  const { form, because } = found;
  return { form, because, settings: settingsShown(found), caveats: caveatsShown(found) };
}

function runFacts({ run }: Report): readonly { name: string; value: string }[] {
  const facts = {
    Run: run.id,
    Started: run.started_at,
    Finished: run.finished_at ?? 'not finished',
    Profile: run.profile,
    Seed: String(run.seed),
    Tool: `${run.tool.name} ${run.tool.version}`,
    Requests: run.requests.toLocaleString('en'),
    'Prompt tokens': run.usage.prompt_tokens.toLocaleString('en'),
    'Completion tokens': run.usage.completion_tokens.toLocaleString('en'),
    'Config digest': run.digests.config,
    'Suites digest': run.digests.suites,
    'Schemas digest': run.digests.schemas,
  };
  return Object.entries(facts).map(([name, value]) => ({ name, value }));
}
