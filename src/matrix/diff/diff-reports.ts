import { withoutModel } from '../../cell/cell-key.js';
import { commonName, modelsMeant, type NamedModel } from '../../cell/model-names.js';
import { isJudged } from '../../cell/verdict.js';
import type { Stop } from '../../journal/event.js';
import { groupBy } from '../../json/group-by.js';
import { clueOfCell } from '../advice.js';
import { servedChanges } from '../served-by.js';
import { needNames } from '../recommendations/recommendations.js';
import type {
  Recommendation,
  Report,
  ReportBehaviour,
  ReportCapability,
  ReportCell,
  ReportModel,
  ReportQuirk,
} from '../report-format.js';
import { metOnlyFaults } from '../run-exit-code.js';
import {
  changedCells,
  changedModels,
  conditionChanges,
  otherwiseFailing,
  rateChanges,
  thresholdChanges,
  wireChanges,
} from './changes.js';
import { modelIn, type JudgedCell, type CellPair, type ReportDiff } from './report-diff.js';
import { writtenJson } from '../../json/json.js';

type DiffedCell = ReportDiff['lost'][number];
type DiffedNeed = ReportDiff['needs'][number];

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
      report.models
        .filter((one) => one.target === target)
        .map(({ id, as, model }) => [id, commonName({ id: model, as })]),
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

/** The models of a report, as people name them. */
export const namedModels = ({ models }: Pick<Report, 'models'>): readonly NamedModel[] =>
  models.map(({ id: key, model: id, as }) => ({ key, id, as }));

function modelNamed(report: Report, name: string): string {
  const models = namedModels(report);
  const found = modelsMeant(models, name);
  if (found.length === 1 && found[0]) return found[0].key;
  const there = some((found.length > 1 ? found : models).map(({ key }) => key));
  throw new RangeError(
    found.length > 1
      ? `"${name}" matches several models: ${there}`
      : `no model "${name}" in run ${report.run.id}; there are ${there}`,
  );
}

/** A run may have a hundred models. */
function some(names: readonly string[]): string {
  const more = names.length - 5;
  return [...names.slice(0, 5), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** The cells and capabilities of one side, under names that both sides share. */
interface DiffSide {
  readonly label: string;
  readonly profile: string;
  readonly stops: readonly Stop[];
  readonly models: ReadonlyMap<string, ReportModel>;
  readonly cells: ReadonlyMap<string, ReportCell>;
  readonly capabilities: ReadonlyMap<string, ReportCapability>;
  /** By quirk and model. */
  readonly wire: ReadonlyMap<string, ReportQuirk>;
  /** By behaviour and model. */
  readonly behaviours: ReadonlyMap<string, ReportBehaviour>;
  readonly recommendations: readonly Recommendation[];
}

function diffSides(kind: ReportDiff['kind'], base: DiffSide, head: DiffSide): ReportDiff {
  const judged = (side: DiffSide, name: string): JudgedCell | undefined => {
    const cell = side.cells.get(name);
    return cell && isJudged(cell) ? cell : undefined;
  };
  const names = [...new Set([...base.cells.keys(), ...head.cells.keys()])];
  const pairs = names.flatMap((name): CellPair[] => {
    const [before, after] = [judged(base, name), judged(head, name)];
    return before && after ? [{ name, base: before, head: after }] : [];
  });
  const [lost, gained] = [changedCells(pairs, 'lost'), changedCells(pairs, 'gained')];
  const real = new Set([...lost.keys(), ...gained.keys()]);
  const models = lostModels(base, head, kind);
  const thresholds = thresholdChanges(pairs, real);
  const moved = thresholds.filter(({ significant }) => significant).map(({ cell }) => cell);
  return {
    format: 'chatspec-diff/1',
    kind,
    base: base.label,
    head: head.label,
    profiles: { base: base.profile, head: head.profile },
    stops: { base: base.stops, head: head.stops },
    models,
    unmeasured: unmeasuredCells(base, head, models),
    served: kind === 'models' ? [] : servedIn(base, head),
    compared: pairs.length,
    lost: cellChangesOf(pairs, lost, head),
    gained: cellChangesOf(pairs, gained, head),
    otherwise: cellChangesOf(pairs, otherwiseFailing(pairs), head),
    whole: changedModels(pairs, new Set(lost.keys())),
    conditions: conditionChanges(base.capabilities, head.capabilities, pairs, new Set([...real, ...moved])),
    thresholds,
    rates: rateChanges(pairs, real),
    wire: wireChanges(base.wire, head.wire, pairs),
    needs: kind === 'models' ? needPairs(base, head) : [],
    behaviours: [...head.behaviours].flatMap(([name, one]) => (base.behaviours.has(name) ? [] : one)),
    onlyBase: names.filter((name) => judged(base, name) && !judged(head, name)),
    onlyHead: names.filter((name) => judged(head, name) && !judged(base, name)),
  };
}

function servedIn(base: DiffSide, head: DiffSide): ReportDiff['served'] {
  const namesOf = ({ served, fingerprints = [] }: ReportModel) => ({ served, fingerprints });
  return [...head.models].flatMap(([model, now]) => {
    const before = base.models.get(model);
    return before === undefined ? [] : servedChanges(namesOf(before), namesOf(now)).map((one) => ({ model, ...one }));
  });
}

function cellChangesOf(
  pairs: readonly CellPair[],
  cells: ReadonlyMap<string, DiffedCell['because']>,
  { behaviours }: DiffSide,
): DiffedCell[] {
  const behind = new Map([...behaviours.values()].flatMap((one) => one.cells.map((key) => [key, one.title] as const)));
  return pairs.flatMap(({ name, base, head }): DiffedCell[] => {
    const because = cells.get(name);
    if (because === undefined) return [];
    const behaviour = head.verdict === 'pass' ? undefined : behind.get(head.key);
    const change = { cell: name, capability: head.capability, base: sideOf(base), head: sideOf(head), because };
    return [behaviour === undefined ? change : { ...change, behaviour }];
  });
}

function sideOf(cell: ReportCell): DiffedCell['base'] {
  const { model, verdict, class: outcome, reason, status, detail, trials } = cell;
  const { passed, total } = trials;
  const clue = clueOfCell(cell);
  return { model, verdict, class: outcome, reason, status, detail, passed, total, ...(clue && { clue }) };
}

function needPairs(base: DiffSide, head: DiffSide): DiffedNeed[] {
  return needNames.flatMap((need) => {
    const [was, is] = [base, head].map(({ recommendations }): DiffedNeed['base'] => {
      const found = recommendations.find((one) => one.need === need);
      if (found === undefined) return null;
      const { form, settings, request, because } = found;
      return { form, settings, ...(request && { request }), because };
    });
    return was || is ? [{ need, base: was ?? null, head: is ?? null }] : [];
  });
}

/** Cells and capabilities of the models that `nameOfModel` names; undefined: not on this side. */
function sideFrom(report: Report, label: string, nameOfModel: (model: string) => string | undefined): DiffSide {
  const { run, models, cells, capabilities, behaviours, recommendations, wire = [] } = report;
  const named = <T extends { readonly model: string }>(items: readonly T[], own: (item: T) => string) =>
    new Map(
      [...groupBy(items, (item) => nameOfModel(item.model))].flatMap(([model, group]) =>
        model === undefined
          ? []
          : group.map((item) => [model === '' ? own(item) : `${own(item)}@${model}`, item] as const),
      ),
    );
  const isOnSide = (stop: Stop): boolean => stop.model === null || nameOfModel(stop.model) !== undefined;
  const cut: readonly Stop[] = run.complete ? [] : [{ target: null, model: null, kind: 'cut_off' }];
  return {
    label,
    profile: run.profile,
    stops: run.stops.length > 0 ? run.stops.filter(isOnSide) : cut,
    models: new Map(models.flatMap((model) => [nameOfModel(model.id) ?? []].flat().map((name) => [name, model]))),
    cells: named(cells, ({ key }) => withoutModel(key)),
    capabilities: named(capabilities, ({ capability }) => capability),
    wire: named(wire, ({ quirk }) => quirk),
    behaviours: named(behaviours, ({ id }) => id),
    recommendations: recommendations.filter(({ model }) => nameOfModel(model) !== undefined),
  };
}

type DiffedLostModel = ReportDiff['models'][number];
type DiffedUnmeasuredCells = ReportDiff['unmeasured'][number];

/** The compared part of a side: under the names that both share. */
interface AlignedSide {
  readonly models: ReadonlyMap<string, ReportModel>;
  readonly cells: ReadonlyMap<string, ReportCell>;
}

/**
 * Changes that a comparison of cells cannot see.
 * @param kind where two models are compared, the head's may just be misspelt; the removal of a model explains nothing
 * but
 *   that the same model is gone
 */
function lostModels(base: AlignedSide, head: AlignedSide, kind: 'runs' | 'models' | 'targets'): DiffedLostModel[] {
  const ofModel = groupBy([...base.cells], ([name]) => modelIn(name));
  const measured = new Set([...head.cells].flatMap(([name, cell]) => (isJudged(cell) ? modelIn(name) : [])));
  return [...base.models.keys()].flatMap((name): DiffedLostModel[] => {
    const now = head.models.get(name);
    const judged = (ofModel.get(name) ?? []).filter(([, cell]) => isJudged(cell));
    if (now === undefined || measured.has(name) || !judged.some(([cell]) => head.cells.has(cell))) return [];
    const { id, reachable, retired, unreachable } = now;
    const unmeasured = reachable ? 'unmeasured' : 'unreachable';
    const change = isGone(now, head, kind !== 'models') ? 'gone' : unmeasured;
    const passed = judged.filter(([, { verdict }]) => verdict === 'pass').length;
    return [
      {
        model: name === '' ? id : name,
        change,
        expected: kind === 'runs' && retired && change === 'gone',
        judged: judged.length,
        passed,
        failure: unreachable,
      },
    ];
  });
}

/** The run calls gone what its baseline or the run before knew; here, the base knew it. */
function isGone({ standing, unreachable, target }: ReportModel, head: AlignedSide, sameNames: boolean): boolean {
  if (standing === 'gone') return true;
  if (!sameNames || unreachable?.reason !== 'model_not_found') return false;
  return [...head.models.values()].some((model) => model.target === target && model.reachable);
}

/** @param lost models of which nothing could be compared, which says it of their cells */
function unmeasuredCells(
  base: AlignedSide,
  head: AlignedSide,
  lost: readonly DiffedLostModel[],
): DiffedUnmeasuredCells[] {
  const lostModels = new Set(lost.map(({ model }) => model));
  const missed = [...base.cells].flatMap(([name, before]) => {
    const now = head.cells.get(name);
    const isOfLost = lostModels.has(modelIn(name)) || (modelIn(name) === '' && lost.length > 0);
    const isMissed = isJudged(before) && before.trials.passed > 0 && now !== undefined && metOnlyFaults(now);
    return isMissed && !isOfLost ? [{ name, now }] : [];
  });
  const groups = groupBy(missed, ({ name, now }) => writtenJson([modelIn(name), now.capability]));
  return [...groups.values()].flatMap((all): DiffedUnmeasuredCells[] => {
    const [first] = all;
    if (first === undefined) return [];
    const { capability, class: outcome, reason, status, detail } = first.now;
    const known = [...head.cells].some(
      ([name, cell]) => modelIn(name) === modelIn(first.name) && cell.capability === capability && isJudged(cell),
    );
    const failure = { class: outcome, reason, status, detail };
    return [{ capability, cells: all.map(({ name }) => name), whole: all.length > 1 && !known, failure }];
  });
}
