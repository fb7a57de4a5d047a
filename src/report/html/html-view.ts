import { verdicts } from '../../cell/verdict.js';
import { outcomeProse, outcomeClasses } from '../../judge/outcome-classes.js';
import { type Rung } from '../../judge/outcome.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import { groupBy } from '../../json/group-by.js';
import { needNames, needTitles } from '../../matrix/recommendations/needs.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { conditionShown } from '../view/condition-text.js';
import { type DeviationView, deviationView } from '../view/deviation-view.js';
import { firstOfEach } from '../view/first-of-each.js';
import { cellView } from './html-cell.js';
import type { PageEvidence } from './html-evidence.js';
import { type Mark, matrixView, shortNames } from '../view/matrix-view.js';
import { cellsLackingTrials, lackingText } from '../view/lacking-text.js';
import { nextSteps } from '../view/next-steps.js';
import { cellsSentence, noDeviations, spentSentence } from '../view/summary.js';
import { shownVerdicts, verdictMarks } from '../view/phrases.js';
import { rateText } from '../view/rate-text.js';
import { unsettledText } from '../view/unsettled-text.js';
import { caveatsShown, settingsShown } from '../view/recommended.js';
import { servedNews } from '../view/wire-view.js';

/** How many deviations are shown at once; the others unfold. */
const mostOpen = 12;

/** All that the page's template shows, as plain data. */
export function htmlView(report: Report, evidence: PageEvidence, folder: string | null) {
  const anchors = new Map(report.cells.map(({ key }, index) => [key, `c${index + 1}`]));
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const { models, rows } = matrixView(report);
  const names = shortNames(models);
  const deviations = deviationsOf(report).map(deviationView);
  const { shown, rest } = firstOfEach(deviations, ({ model }) => model, mostOpen);
  const deviating = new Set(deviations.flatMap(({ key }) => key ?? []));
  const withAnchor = (view: DeviationView) => ({ ...view, anchor: view.key === null ? null : anchors.get(view.key) });
  const linkTo = (key: string) => ({ key, anchor: anchors.get(key) ?? '' });
  return {
    run: { ...report.run, facts: runFacts(report) },
    ...{ truncated: !report.run.complete, notes: report.run.notes },
    ...{ sentence: cellsSentence(report), spent: spentSentence(report), next: nextSteps(report, folder) },
    noDeviations: noDeviations(report),
    news: servedNews(report),
    tiles: tiles(report),
    deviationCount: deviations.length,
    deviations: shown.map(withAnchor),
    moreDeviations: rest.map(withAnchor),
    lacking: cellsLackingTrials(report).map((cell) => ({ ...linkTo(cell.key), text: lackingText(report, cell) })),
    unsettled: report.cells
      .filter((cell) => cell.unsettled)
      .map((cell) => ({ ...linkTo(cell.key), text: unsettledText(cell), detail: cell.detail })),
    risen: report.cells
      .filter((cell) => cell.rate_change !== undefined)
      .map((cell) => ({ ...linkTo(cell.key), text: rateText(cell) })),
    models: models.map((model) => ({
      ...model,
      short: names.get(model.id) ?? model.id,
      isGone: model.standing === 'gone',
    })),
    rows: rows.map(({ capability, marks }) => ({
      capability,
      marks: marks.map(
        (mark) => mark && matrixMark(mark, { cells, anchors, deviating, name: names.get(mark.model) ?? '' }),
      ),
    })),
    legend: shownVerdicts.map((verdict) => ({ verdict, ...verdictMarks[verdict] })),
    behaviours: [
      ...groupBy(report.behaviours, ({ id, title, advice }) => JSON.stringify([id, title, advice])).values(),
    ].map((group) => ({
      ...group[0],
      shownBy: group.map(({ model, cells: keys }) => ({ model, cells: keys.map(linkTo) })),
    })),
    needs: needNames.map((need) => needTitles[need]),
    recommendations: models
      .filter(({ reachable }) => reachable)
      .map(({ id }) => ({
        model: id,
        needs: needNames.map((need) => recommendationView(report, id, need)),
      })),
    sections: [...groupBy(report.cells, ({ model }) => model)].map(([model, group]) => ({
      model,
      failing: group.filter(({ verdict }) => verdict === 'fail' || verdict === 'flaky').length,
      total: group.length,
      cells: group.map((cell) => ({
        ...cellView(cell, anchors.get(cell.key) ?? '', evidence),
        deviates: deviating.has(cell.key),
      })),
    })),
    glossary,
  };
}

function tiles({ cells }: Report) {
  return verdicts
    .map((verdict) => ({
      verdict,
      ...verdictMarks[verdict],
      count: cells.filter((cell) => cell.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0);
}

interface Around {
  readonly cells: ReadonlyMap<string, ReportCell>;
  readonly anchors: ReadonlyMap<string, string>;
  readonly deviating: ReadonlySet<string>;
  readonly name: string;
}

/** Links to the most important cell: one that deviates, else one that fails, else the first. */
function matrixMark(mark: Mark, { cells, anchors, deviating, name }: Around) {
  const telling =
    mark.cells.find((key) => deviating.has(key)) ??
    mark.cells.find((key) => cells.get(key)?.verdict === 'fail') ??
    mark.cells.find((key) => cells.get(key)?.verdict === 'flaky') ??
    mark.cells[0];
  const condition = conditionShown(mark);
  return {
    ...{ verdict: mark.verdict, ...verdictMarks[mark.verdict] },
    anchor: telling === undefined ? null : anchors.get(telling),
    deviates: mark.cells.some((key) => deviating.has(key)),
    tip: `${name}, ${mark.capability}: ${verdictMarks[mark.verdict].title}${condition === null ? '' : `: ${condition}`}`,
    condition,
  };
}

function recommendationView({ recommendations }: Report, model: string, need: (typeof needNames)[number]) {
  const found = recommendations.find((one) => one.model === model && one.need === need);
  if (!found) return null;
  return {
    ...found,
    settings: settingsShown(found),
    caveats: caveatsShown(found),
    alternatives: found.alternatives.slice(0, 4).join(', '),
  };
}

function runFacts({ run }: Report): readonly { name: string; value: string }[] {
  const facts = {
    Run: run.id,
    Started: run.started_at,
    Finished: run.finished_at ?? 'not finished',
    Profile: run.profile,
    Seed: String(run.seed),
    Tool: `${run.tool.name} ${run.tool.version}`,
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

const glossary = {
  /** In the order in which a client checks. */
  classes: outcomeClasses.map((name) => ({ name, meaning: outcomeProse[name].explanation })),
  rungs: Object.entries(levels).map(([name, meaning]) => ({ name, meaning })),
} as const;
