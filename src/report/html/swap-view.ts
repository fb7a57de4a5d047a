import { groupBy } from '../../json/group-by.js';
import { diffModels, lostSomething } from '../../matrix/diff/diff-reports.js';
import type { Report, ReportModel } from '../../matrix/report-format.js';
import { diffSummary } from '../diff/diff-summary.js';
import { configOption, shellWord } from '../view/shell-word.js';
import { swapSections } from '../view/swap/swap-sections.js';

/** So many pairs stand in the page as text; the script compares any other two by what the matrix shows. */
const mostPairs = 12;

/** What the page shows of swaps: the pairs that matter most, and what the script needs for the others. */
export function swapView(report: Report, folder: string | null) {
  const run = `chatspec diff ${shellWord(folder ?? 'RUN')} --models `;
  const partOf = partsOf(report);
  return {
    models: report.models.map(({ id }) => id),
    isPossible: report.models.length > 1,
    isPartial: report.models.length * (report.models.length - 1) > mostPairs,
    ...{ command: run, option: configOption(report.run.config) },
    pairs: pairsThatMatter(report.models).map(([from, to]) => {
      const diff = diffModels(partOf(from), partOf(to), from, to);
      return {
        ...{ from, to, summary: diffSummary(diff), hasLost: lostSomething(diff) },
        command: `${run}${shellWord(from)} ${shellWord(to)}${configOption(report.run.config)}`,
        sections: swapSections(diff).map(({ title, kind, rows }) => ({
          ...{ title, kind, amount: rows.length },
          rows: rows.map(([what, ...changes]) => ({ what, change: changes.join('; ') })),
        })),
      };
    }),
  };
}

/** The report as if it were of one model: a diff of two models looks at nothing else. */
function partsOf(report: Report): (model: string) => Report {
  const cells = groupBy(report.cells, ({ model }) => model);
  const capabilities = groupBy(report.capabilities, ({ model }) => model);
  return (id) => ({
    ...report,
    models: report.models.filter((model) => model.id === id),
    ...{ cells: cells.get(id) ?? [], capabilities: capabilities.get(id) ?? [] },
  });
}

/** All pairs of a few models. Of many, the same model at two places, what replaces a retired one, and what is new. */
function pairsThatMatter(models: readonly ReportModel[]): readonly (readonly [string, string])[] {
  const pairs = models.flatMap((from) => models.filter((to) => to !== from).map((to) => [from, to] as const));
  const places = new Map(models.map((model, index) => [model, index]));
  const rank = ([from, to]: readonly [ReportModel, ReportModel]): number => {
    if (from.as !== null && from.as === to.as) return 0;
    if ((from.retired || from.standing === 'gone') && to.reachable) return 1;
    if (from.standing === 'known' && to.standing === 'new') return 2;
    return 3 + Math.min(1, places.get(from) ?? 0);
  };
  return pairs
    .map((pair) => ({ pair, rank: rank(pair) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostPairs)
    .map(({ pair: [from, to] }) => [from.id, to.id]);
}
