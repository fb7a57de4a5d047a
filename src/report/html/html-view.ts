import { withoutModel } from '../../cell/cell-key.js';
import { verdicts } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import { outcomeClasses, outcomeProse } from '../../judge/outcome-classes.js';
import type { Rung } from '../../judge/outcome.js';
import type { Report } from '../../matrix/report-format.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import { cellsLackingTrials, lackingText } from '../view/lacking-text.js';
import type { Cause } from '../view/causes/cause.js';
import { count, verdictMarks } from '../view/phrases.js';
import { rateText } from '../view/rate-text.js';
import { cellsSentence, noDeviations, spentSentence } from '../view/summary.js';
import { unsettledText } from '../view/unsettled-text.js';
import { servedNews } from '../view/wire-view.js';
import { causeViews } from './cause-view.js';
import { cellLink } from './cell-link.js';
import { choiceViews } from './choice-view.js';
import { matrixPage } from './matrix-page.js';
import type { PageEvidence } from './page-evidence.js';
import { capabilityTitle } from './plain-names.js';
import type { Pack } from './store/pack.js';
import type { VerdictView } from '../view/verdict/verdict-of.js';
import { plainCondition } from './short-condition.js';

export interface PageContent {
  readonly verdict: VerdictView;
  readonly causes: readonly Cause[];
  readonly evidence: PageEvidence;
  /** Takes what is shown on demand. */
  readonly pack: Pack;
}

/** All that stands in the page as HTML, as plain data for its templates. */
export function htmlView(report: Report, { verdict, causes, evidence, pack }: PageContent) {
  const matrix = matrixPage(report);
  const linkTo = (key: string) => ({ key, name: withoutModel(key), href: cellLink(key) });
  return {
    title: `chatspec: ${report.run.id}`,
    run: { ...report.run, facts: runFacts(report) },
    ...{ truncated: !report.run.complete, notes: report.run.notes },
    verdict: { ...verdict, ...withoutExit(verdict.sentence) },
    ...{ sentence: cellsSentence(report), spent: spentSentence(report), tiles: tiles(report) },
    deviationCount: deviationsOf(report).length,
    causes: causeViews(report, causes, evidence),
    choices: choiceViews(report, pack),
    ...{ noDeviations: noDeviations(report), news: servedNews(report) },
    lacking: cellsLackingTrials(report).map((cell) => ({ ...linkTo(cell.key), text: lackingText(report, cell) })),
    unsettled: report.cells
      .filter((cell) => cell.unsettled)
      .map((cell) => ({ ...linkTo(cell.key), text: unsettledText(cell), detail: cell.detail })),
    risen: report.cells
      .filter((cell) => cell.rate_change !== undefined)
      .map((cell) => ({ ...linkTo(cell.key), text: rateText(cell) })),
    matrix: { ...matrix, few: matrix.models.length <= 16 },
    behaviours: [
      ...groupBy(report.behaviours, ({ id, title, advice }) => JSON.stringify([id, title, advice])).values(),
    ].map((group) => ({
      ...{ id: group[0]?.id, title: group[0]?.title, advice: group[0]?.advice },
      shownBy: group.map(({ model, cells: keys }) => ({ model, cells: keys.map(linkTo) })),
    })),
    modelPages: modelPages(report),
    glossary,
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
    .filter(({ count: amount }) => amount > 0);
}

function modelPages(report: Report) {
  const behaviours = groupBy(report.behaviours, ({ model }) => model);
  const capabilities = groupBy(report.capabilities, ({ model }) => model);
  const cells = groupBy(report.cells, ({ model }) => model);
  return report.models.map((model, index) => ({
    ...{ id: model.id, anchor: `model-${index + 1}` },
    sum: cellsCount(cells.get(model.id) ?? []),
    facts: Object.entries({
      'Common name': model.as,
      Reached: model.reachable ? 'yes' : `no${whyUnreached(model)}`,
      Baseline: `${model.standing}${model.retired ? ', retired' : ''}`,
      'Served as': model.served.join(', ') || null,
      Fingerprint: (model.fingerprints ?? []).join(', ') || null,
      'Not asked': (model.not_asked ?? []).map(({ settings, label }) => `${settings}: ${label}`).join(', ') || null,
    }).flatMap(([name, value]) => (value === null ? [] : { name, value })),
    behaviours: (behaviours.get(model.id) ?? []).map(({ id, title, advice }) => ({ id, title, advice })),
    conditions: (capabilities.get(model.id) ?? []).flatMap((one) => {
      const condition = plainCondition(one);
      return condition === null
        ? []
        : { capability: one.capability, title: capabilityTitle(one.capability), condition };
    }),
  }));
}

function whyUnreached({ unreachable }: Report['models'][number]): string {
  if (unreachable === null) return '';
  const { class: kind, reason, detail } = unreachable;
  return `: ${[kind, reason, detail].filter((part) => part !== null).join(' ')}`;
}

function cellsCount(cells: Report['cells']): string {
  const passing = cells.filter(({ verdict }) => verdict === 'pass').length;
  return `${passing} of ${count(cells.length, 'cell')} pass`;
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

/** The levels that every judged trial of a cell reached. */
const levels: Readonly<Record<Rung, string>> = {
  accepted: 'the service answered 2xx',
  complete: 'the output was neither cut nor filtered',
  present: 'there is content or a call',
  parses: 'it is JSON, if JSON was asked for',
  conforms: 'it conforms to the schema',
  correct: 'the values are right',
};

const glossary = [
  {
    title: 'Outcome classes, in the order in which a client checks',
    words: outcomeClasses.map((name) => ({ name, meaning: outcomeProse[name].explanation })),
  },
  {
    title: 'Levels that every judged trial of a cell reached',
    words: Object.entries(levels).map(([name, meaning]) => ({ name, meaning })),
  },
] as const;
