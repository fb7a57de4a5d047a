import { groupBy } from '../../json/group-by.js';
import type { Report } from '../report-format.js';
import { diffSides, type ReportDiff, sideFrom } from './report-diff.js';

/** Two runs: cells are compared by their whole key. */
export function diffRuns(base: Report, head: Report): ReportDiff {
  const sideOf = (report: Report) => sideFrom(report, report.run.id, (model) => model);
  return ofReports(base, head, diffSides('runs', sideOf(base), sideOf(head)));
}

function ofReports({ run: base }: Report, { run: head }: Report, diff: ReportDiff): ReportDiff {
  const isSame = base.digests.suites === head.digests.suites && base.digests.schemas === head.digests.schemas;
  const isOneName = diff.kind !== 'runs' && diff.base === diff.head && base.id !== head.id;
  return {
    ...diff,
    ...(isOneName && { runs: { base: base.id, head: head.id } }),
    ...(!isSame && { suites_differ: true }),
  };
}

/**
 * Two models, each `TARGET/MODEL`, an id or a common name (`as`), of one report or of two.
 * Throws a RangeError that lists some of the available models if a name matches none or several.
 */
export function diffModels(baseReport: Report, headReport: Report, base: string, head: string): ReportDiff {
  const only = (report: Report, name: string) => {
    const id = modelNamed(report, name);
    return sideFrom(report, id, (model) => (model === id ? '' : undefined));
  };
  return ofReports(baseReport, headReport, diffSides('models', only(baseReport, base), only(headReport, head)));
}

/**
 * Two targets: models are paired by common name, otherwise by id.
 * Throws a RangeError if a target does not exist, or if two of its models have the same name.
 */
export function diffTargets(baseReport: Report, headReport: Report, base: string, head: string): ReportDiff {
  const only = (report: Report, target: string) => {
    const names = new Map(
      report.models.filter((model) => model.target === target).map(({ id, as, model }) => [id, as ?? model]),
    );
    if (names.size === 0) {
      const targets = [...new Set(report.models.map((model) => model.target))];
      throw new RangeError(`no target "${target}" in run ${report.run.id}; there are ${some(targets)}`);
    }
    const [name, twins = []] =
      [...groupBy([...names.keys()], (id) => names.get(id))].find(([, ids]) => ids.length > 1) ?? [];
    if (name !== undefined) {
      throw new RangeError(`${twins.join(' and ')} are both called "${name}": give one of them another name (as)`);
    }
    return sideFrom(report, target, (model) => names.get(model));
  };
  return ofReports(baseReport, headReport, diffSides('targets', only(baseReport, base), only(headReport, head)));
}

function modelNamed({ models, run }: Report, name: string): string {
  const exact = models.find(({ id }) => id === name);
  const loose = models.filter(({ model, as }) => model === name || as === name);
  if (exact) return exact.id;
  if (loose.length === 1 && loose[0]) return loose[0].id;
  const there = some((loose.length > 1 ? loose : models).map(({ id }) => id));
  throw new RangeError(
    loose.length > 1
      ? `"${name}" matches several models: ${there}`
      : `no model "${name}" in run ${run.id}; there are ${there}`,
  );
}

/** A run may have a hundred models. */
function some(names: readonly string[]): string {
  const more = names.length - 5;
  return [...names.slice(0, 5), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
