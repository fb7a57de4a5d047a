import { withoutModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import type { Stop } from '../../journal/stop.js';
import type {
  Report,
  ReportCapability,
  ReportCell,
  ReportQuirk,
  ReportUnmeasured,
  ServedChange,
} from '../report-format.js';
import { type Because, changedCells, changedModels, evidenceOf, type WholeModel } from './changes.js';
import { type ConditionChange, conditionChangesOf } from './condition-changes.js';
import { countOf, countSameThing, type JudgedCell, type Pair, rateOf } from './pair.js';
import { type ClientLoss, clientLossesOf } from './client-losses.js';
import { fewSightsOf, type WireChange, wireChangesOf, type WireSight } from './wire-changes.js';
import { type LostModel, lostModelsOf, type ModelSide, modelSides } from './lost-models.js';
import { cutOf, cutSides, type CutSides } from './cut-runs.js';
import { uncomparedModelsOf, type UncomparedModel } from './uncompared-models.js';
import { type UnmeasuredCells, unmeasuredCellsOf } from './unmeasured-cells.js';
import { servedChanges } from '../standing/served-changes.js';
import { type ThresholdChange, thresholdChangesOf } from './threshold-changes.js';

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
  /** What ended a side before it had asked everything; absent: nothing did. */
  readonly cut?: CutSides;
  /** Models that are gone, or of which the head could judge nothing; none of their cells is compared. */
  readonly models: readonly LostModel[];
  /** Other models of which no cell is compared, because only one side asked them or both asked other things; absent: none. */
  readonly uncompared_models?: readonly UncomparedModel[];
  /** Models that the head serves under other names or fingerprints, none of which the base knew; absent: none. */
  readonly served?: readonly (ServedChange & { readonly model: string })[];
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
  /** Quirks that all answers of the head show, which are too few to call it the rule, and none of the base; absent: none. */
  readonly wire_few?: readonly WireSight[];
  /** Client libraries of the user that fail on what the head answers, and not on what the base does; absent: none. */
  readonly clients?: readonly ClientLoss[];
  /** Per cell, if a report of an older version says nothing of the quirks per model. */
  readonly quirks: readonly QuirkChange[];
  /** Cells that only one side judged, which are not compared. */
  readonly onlyBase: readonly string[];
  readonly onlyHead: readonly string[];
}

export interface CellChange {
  readonly cell: string;
  readonly capability: string;
  readonly base: Side;
  readonly head: Side;
  readonly because: Because;
}

export interface Side extends Pick<ReportCell, 'verdict' | 'class' | 'reason' | 'status' | 'detail'> {
  readonly passed: number;
  readonly total: number;
}

export interface RateChange {
  readonly cell: string;
  readonly base: { readonly passed: number; readonly total: number };
  readonly head: { readonly passed: number; readonly total: number };
  /** That the rate changed, as log10. */
  readonly evidence: number;
}

export interface QuirkChange {
  readonly cell: string;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** The cells and capabilities of one side, under names that both sides share. */
export interface DiffSide {
  readonly label: string;
  /** With which the run asked: another one asks some cells more often than others. */
  readonly profile: string;
  readonly models: ReadonlyMap<string, ModelSide>;
  /** What left out some of its cells or trials; none: nothing did. */
  readonly cut: readonly Stop[];
  readonly cells: ReadonlyMap<string, ReportCell>;
  readonly capabilities: ReadonlyMap<string, ReportCapability>;
  /** By quirk and model; null: the report says nothing of them. */
  readonly wire: ReadonlyMap<string, ReportQuirk> | null;
  /** By cell that could not be measured. */
  readonly unmeasured: ReadonlyMap<string, ReportUnmeasured>;
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
  const models = lostModelsOf(base.models, head.models, kind);
  // Two models have no name in common.
  const uncompared = kind === 'models' ? [] : uncomparedModelsOf(base.models, head.models, { pairs, lost: models });
  const served = kind === 'models' ? [] : servedIn(base.models, head.models);
  const thresholds = thresholdChangesOf(pairs, real);
  const wire = wireOf(base, head, pairs);
  const moved = thresholds.filter(({ significant }) => significant).map(({ cell }) => cell);
  return {
    ...{ format: 'chatspec-diff/1', kind, base: base.label, head: head.label },
    profiles: { base: base.profile, head: head.profile },
    ...cutSides(base.cut, head.cut),
    ...(uncompared.length > 0 && { uncompared_models: uncompared }),
    ...{ models, unmeasured: unmeasuredCellsOf(base, head, models) },
    ...(served.length > 0 && { served }),
    compared: pairs.length,
    lost: changesOf(pairs, lost),
    gained: changesOf(pairs, gained),
    whole: changedModels(pairs, new Set(lost.keys())),
    conditions: conditionChangesOf(base.capabilities, head.capabilities, pairs, new Set([...real, ...moved])),
    thresholds,
    rates: pairs.filter((pair) => !real.has(pair.name) && countSameThing(pair)).flatMap(rateChange),
    ...wire,
    quirks: base.wire === null || head.wire === null ? pairs.flatMap(quirksOf) : [],
    onlyBase: names.filter((name) => judged(base, name) && !judged(head, name)),
    onlyHead: names.filter((name) => judged(head, name) && !judged(base, name)),
  };
}

function servedIn(base: DiffSide['models'], head: DiffSide['models']): NonNullable<ReportDiff['served']> {
  const namesOf = ({ model: { served, fingerprints = [] } }: ModelSide) => ({ served, fingerprints });
  return [...head].flatMap(([model, now]) => {
    const before = base.get(model);
    return before === undefined ? [] : servedChanges(namesOf(before), namesOf(now)).map((one) => ({ model, ...one }));
  });
}

/** Nothing where a report of an older version does not count the quirks. */
function wireOf(
  base: DiffSide,
  head: DiffSide,
  pairs: readonly Pair[],
): Pick<ReportDiff, 'wire' | 'wire_few' | 'clients'> {
  if (base.wire === null || head.wire === null) return { wire: [] };
  const [wire, few] = [wireChangesOf(base.wire, head.wire, pairs), fewSightsOf(base.wire, head.wire, pairs)];
  const rules = wire.filter(({ change }) => change === 'became the rule');
  const clients = clientLossesOf({ rules, few }, { base: base.wire, head: head.wire, pairs });
  return { wire, ...(few.length > 0 && { wire_few: few }), ...(clients.length > 0 && { clients }) };
}

function changesOf(pairs: readonly Pair[], cells: ReadonlyMap<string, Because>): CellChange[] {
  return pairs.flatMap(({ name, base, head }) => {
    const because = cells.get(name);
    if (because === undefined) return [];
    return [{ cell: name, capability: head.capability, base: sideOf(base), head: sideOf(head), because }];
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

function quirksOf({ name, base, head }: Pair): QuirkChange[] {
  const gained = head.quirks.filter((quirk) => !base.quirks.includes(quirk));
  const lost = base.quirks.filter((quirk) => !head.quirks.includes(quirk));
  return gained.length + lost.length === 0 ? [] : [{ cell: name, gained, lost }];
}

/** Cells and capabilities of the models that `nameOfModel` names; undefined: not on this side. */
export function sideFrom(report: Report, label: string, nameOfModel: (model: string) => string | undefined): DiffSide {
  const { run, models, cells, capabilities, wire, unmeasured = [] } = report;
  const named = <T extends { readonly model: string }>(items: readonly T[], own: (item: T) => string) =>
    new Map(
      [...groupBy(items, (item) => nameOfModel(item.model))].flatMap(([model, group]) =>
        model === undefined
          ? []
          : group.map((item) => [model === '' ? own(item) : `${own(item)}@${model}`, item] as const),
      ),
    );
  return {
    label,
    profile: run.profile,
    models: modelSides(models, cells, nameOfModel),
    cut: cutOf(report, (model) => nameOfModel(model) !== undefined),
    cells: named(cells, ({ key }) => withoutModel(key)),
    capabilities: named(capabilities, ({ capability }) => capability),
    wire: wire === undefined ? null : named(wire, ({ quirk }) => quirk),
    unmeasured: new Map(
      unmeasured.flatMap((group) => {
        const name = nameOfModel(group.model);
        if (name === undefined) return [];
        return group.cells.map((key) => [withoutModel(key) + (name === '' ? '' : `@${name}`), group] as const);
      }),
    ),
  };
}
