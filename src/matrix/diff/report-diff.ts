import { withoutModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import type { Stop } from '../../journal/stop.js';
import { type Count } from '../../stats/count.js';
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
import type { ModelBefore } from '../../journal/event.js';
import { mostFingerprints } from '../gathered.js';
import {
  changedCells,
  changedModels,
  type ConditionChange,
  conditionChanges,
  countOf,
  countSameThing,
  evidenceOf,
  type JudgedCell,
  type Pair,
  type Proof,
  rateOf,
  type ThresholdChange,
  thresholdChanges,
  type WholeModel,
} from './changes.js';
import { isLoss, type LostModel, lostModels, type UnmeasuredCells, unmeasuredCells } from './lost-models.js';
import { type WireChange, wireChanges } from './wire-changes.js';

/** Two runs, two models or two targets side by side. */
export interface ReportDiff {
  readonly format: 'chatspec-diff/1';
  readonly kind: 'runs' | 'models' | 'targets';
  readonly base: string;
  readonly head: string;
  /** The ids of the runs, where a model or a target of one is compared with itself in the other; absent otherwise. */
  readonly runs?: { readonly base: string; readonly head: string };
  /** With which each side was asked: `smoke`, `standard` or `certify`. */
  readonly profiles: { readonly base: string; readonly head: string };
  /** The suites or their schemas are not those of the base, so that what changed may be a probe; absent: they are the same. */
  readonly suites_differ?: true;
  /** What ended each side before it had asked everything. */
  readonly stops: { readonly base: readonly Stop[]; readonly head: readonly Stop[] };
  /** Models that are gone, or of which the head could judge nothing; none of their cells is compared. */
  readonly models: readonly LostModel[];
  /** Models that the head serves under other names or fingerprints, none of which the base knew. */
  readonly served: readonly (ServedChange & { readonly model: string })[];
  /** Cells that passed in the base and that the head could not measure, of other models. */
  readonly unmeasured: readonly UnmeasuredCells[];
  /** Cells that both sides judged. */
  readonly compared: number;
  /** What passed and no longer does at all, or passes more rarely by the evidence of all trials. */
  readonly lost: readonly CellChange[];
  /** What did not pass and now does. */
  readonly gained: readonly CellChange[];
  /** Models that pass less often as a whole, which no single cell shows. */
  readonly whole: readonly WholeModel[];
  readonly conditions: readonly ConditionChange[];
  readonly thresholds: readonly ThresholdChange[];
  /** Other pass rates that changed, which may be chance. */
  readonly rates: readonly RateChange[];
  /** Quirks that are the rule on one side and never show on the other, per model. */
  readonly wire: readonly WireChange[];
  /** What is recommended for each need of two models; empty where runs or targets are compared. */
  readonly needs: readonly NeedPair[];
  /** Known behaviours that the head shows and the base does not. */
  readonly behaviours: readonly ReportBehaviour[];
  /** Cells that only one side judged, which are not compared. */
  readonly onlyBase: readonly string[];
  readonly onlyHead: readonly string[];
}

/** What the answers of a model name that they did not name before. */
interface ServedChange {
  readonly field: 'model' | 'system_fingerprint';
  readonly before: readonly string[];
  readonly now: readonly string[];
}

export interface CellChange {
  readonly cell: string;
  readonly capability: string;
  readonly base: Side;
  readonly head: Side;
  readonly because: Proof;
  /** The behaviour of the head that explains it; absent: none does. */
  readonly behaviour?: string;
}

interface Side extends Pick<ReportCell, 'verdict' | 'class' | 'reason' | 'status' | 'detail'>, Count {}

interface RateChange {
  readonly cell: string;
  readonly base: Count;
  readonly head: Count;
  /** That the rate changed, as log10. */
  readonly evidence: number;
}

export interface NeedPair {
  readonly need: Recommendation['need'];
  /** null: nothing was judged that serves the need. */
  readonly base: Advice | null;
  readonly head: Advice | null;
}

type Advice = Pick<Recommendation, 'form' | 'settings' | 'request' | 'because'>;

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

export function diffSides(kind: ReportDiff['kind'], base: DiffSide, head: DiffSide): ReportDiff {
  const judged = (side: DiffSide, name: string): JudgedCell | undefined => {
    const cell = side.cells.get(name);
    return cell && isJudged(cell) ? cell : undefined;
  };
  const names = [...new Set([...base.cells.keys(), ...head.cells.keys()])];
  const pairs = names.flatMap((name): Pair[] => {
    const [before, after] = [judged(base, name), judged(head, name)];
    return before && after ? [{ name, base: before, head: after }] : [];
  });
  const [lost, gained] = [changedCells(pairs, 'lost'), changedCells(pairs, 'gained')];
  const real = new Set([...lost.keys(), ...gained.keys()]);
  const models = lostModels(base, head, kind);
  const thresholds = thresholdChanges(pairs, real);
  const moved = thresholds.filter(({ significant }) => significant).map(({ cell }) => cell);
  return {
    ...{ format: 'chatspec-diff/1', kind, base: base.label, head: head.label },
    profiles: { base: base.profile, head: head.profile },
    stops: { base: base.stops, head: head.stops },
    ...{ models, unmeasured: unmeasuredCells(base, head, models) },
    served: kind === 'models' ? [] : servedIn(base, head),
    compared: pairs.length,
    lost: changesOf(pairs, lost, head),
    gained: changesOf(pairs, gained, head),
    whole: changedModels(pairs, new Set(lost.keys())),
    conditions: conditionChanges(base.capabilities, head.capabilities, pairs, new Set([...real, ...moved])),
    thresholds,
    rates: pairs.filter((pair) => !real.has(pair.name) && countSameThing(pair)).flatMap(rateChange),
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

/**
 * Names and fingerprints of which none is left from the run before. Services often alternate between a few, so that one
 * more or one less is no news; nor is a service that starts or stops to send them, or has another one for every answer.
 */
function servedChanges(before: ModelBefore | undefined, now: ModelBefore): ServedChange[] {
  if (before === undefined) return [];
  const fields: readonly ServedChange[] = [
    { field: 'model', before: before.served, now: now.served },
    { field: 'system_fingerprint', before: before.fingerprints, now: now.fingerprints },
  ];
  const isVersioned = ({ field, ...names }: ServedChange): boolean =>
    field === 'model' || Math.max(names.before.length, names.now.length) < mostFingerprints;
  return fields
    .filter(isVersioned)
    .filter((one) => one.before.length > 0 && one.now.length > 0 && !one.now.some((name) => one.before.includes(name)));
}

function changesOf(pairs: readonly Pair[], cells: ReadonlyMap<string, Proof>, { behaviours }: DiffSide): CellChange[] {
  const behind = new Map([...behaviours.values()].flatMap((one) => one.cells.map((key) => [key, one.title] as const)));
  return pairs.flatMap(({ name, base, head }): CellChange[] => {
    const because = cells.get(name);
    if (because === undefined) return [];
    const behaviour = head.verdict === 'pass' ? undefined : behind.get(head.key);
    const change = { cell: name, capability: head.capability, base: sideOf(base), head: sideOf(head), because };
    return [behaviour === undefined ? change : { ...change, behaviour }];
  });
}

function sideOf({ verdict, class: outcome, reason, status, detail, trials: { passed, total } }: ReportCell): Side {
  return { verdict, class: outcome, reason, status, detail, passed, total };
}

function rateChange(pair: Pair): RateChange[] {
  const [was, is] = [countOf(pair.base), countOf(pair.head)];
  if (rateOf(was) === rateOf(is)) return [];
  const direction = rateOf(is) < rateOf(was) ? 'lost' : 'gained';
  return [{ cell: pair.name, base: was, head: is, evidence: evidenceOf(pair, direction) }];
}

function needPairs(base: DiffSide, head: DiffSide): NeedPair[] {
  return needNames.flatMap((need) => {
    const [was, is] = [base, head].map(({ recommendations }): Advice | null => {
      const found = recommendations.find((one) => one.need === need);
      if (found === undefined) return null;
      const { form, settings, request, because } = found;
      return { form, settings, ...(request && { request }), because };
    });
    return was || is ? [{ need, base: was ?? null, head: is ?? null }] : [];
  });
}

/** Cells and capabilities of the models that `nameOfModel` names; undefined: not on this side. */
export function sideFrom(report: Report, label: string, nameOfModel: (model: string) => string | undefined): DiffSide {
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
    ...{ label, profile: run.profile },
    stops: run.stops.length > 0 ? run.stops.filter(isOnSide) : cut,
    models: new Map(models.flatMap((model) => [nameOfModel(model.id) ?? []].flat().map((name) => [name, model]))),
    cells: named(cells, ({ key }) => withoutModel(key)),
    capabilities: named(capabilities, ({ capability }) => capability),
    wire: named(wire, ({ quirk }) => quirk),
    behaviours: named(behaviours, ({ id }) => id),
    recommendations: recommendations.filter(({ model }) => nameOfModel(model) !== undefined),
  };
}

/** `diff` exits with 1 when something was lost. */
export function lostSomething({ lost, models, whole, wire }: ReportDiff): boolean {
  return lost.length > 0 || models.some(isLoss) || whole.length > 0 || wire.some(({ loses }) => loses.length > 0);
}

/**
 * `diff` exits with 3 when nothing was lost of what it compared, but it could not compare: in all, of one model, or of what
 * a model no longer answers.
 */
export function comparedTooLittle({ compared, models, unmeasured }: ReportDiff): boolean {
  return compared === 0 || models.some(({ change }) => change !== 'gone') || unmeasured.some(({ whole }) => whole);
}
