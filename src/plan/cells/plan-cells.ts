import { withLabels } from '../../cell/axis-labels.js';
import { cellKey, type Point } from '../../cell/cell-key.js';
import type { Config, ModelConfig, TargetConfig } from '../../config/config.js';
import type { Problem } from '../../files/problems/problem.js';
import { groupBy } from '../../json/group-by.js';
import { capabilityThrough, enforceChannels, type Probe, type Suite } from '../../suite/probe.js';
import { withObjectRoot } from '../request/echo-request.js';
import type { AbsentSetting, Cell } from '../plan.js';
import { writtenJson } from '../../json/json.js';

export interface Cells {
  readonly cells: readonly Cell[];
  /** Points that `combine: each` left out of a probe with `fill`: asked only to settle a doubt. */
  readonly leftOut: readonly Cell[];
  /** Settings that the probes vary and the config does not define. */
  readonly absences: readonly Absence[];
  readonly problems: readonly Problem[];
}

/** Most cells of a probe for one model. A larger product is almost certainly a mistake. */
const mostPoints = 10_000;

/** Every cell of the suites for every model of the config, before any filter, model by model. */
export function allCells({ targets }: Config, suites: readonly Suite[]): Cells {
  const probes = suites.flatMap((suite) => suite.probes);
  const made = targets.flatMap((target) =>
    target.models.flatMap((model) => probes.map((probe) => planProbeCells(probe, model, mostAtOnce(target, model)))),
  );
  const problems = made.flatMap((one) => one.problems);
  return {
    cells: made.flatMap((one) => one.cells),
    leftOut: made.flatMap((one) => one.leftOut),
    absences: made.flatMap((one) => one.absences),
    problems: [...new Map(problems.map((problem) => [problem.message, problem])).values()],
  };
}

/** Requests that the limits allow a model at once. */
const mostAtOnce = ({ limits }: TargetConfig, { concurrency }: ModelConfig): number =>
  Math.min(limits.concurrency, limits.requestsPerMinute ?? Infinity, concurrency ?? Infinity);

/**
 * The cells of one probe for one model.
 * @param most requests that it may get at once
 */
export function planProbeCells(written: Probe, model: ModelConfig, most = Infinity): Cells {
  const probe = withRootedSchema(written);
  const name = `${probe.suite}/${probe.name}`;
  const axes = labelledAxes(probe, model, most);
  const count =
    probe.combine === 'product' ? axisProductSize(axes) : axes.reduce((sum, { labels }) => sum + labels.length - 1, 1);
  if (count > mostPoints) {
    const message = `the axes of ${name} make ${count} cells for each model, more than ${mostPoints}`;
    const hint = 'write "combine: each", or name the points you need under "include"';
    const problems = [{ severity: 'error' as const, message, hint, place: probe.place }];
    return { cells: [], leftOut: [], absences: [], problems };
  }
  const cellAt = (point: Point): Cell => {
    const labels = axes.map((axis) => [axis.name, point[axis.name] ?? ''] as const);
    const key = cellKey(name, labels, model.key);
    const capability = capabilityOf(probe, point);
    return { key, probe, point, model, capability, needs: [], selected: true, unmeetable: null };
  };
  const { planned, leftOut } = planPoints(probe, axes);
  return {
    cells: planned.map(cellAt),
    leftOut: leftOut.map(cellAt),
    absences: absencesOf(probe, model),
    problems: [],
  };
}

function withRootedSchema(probe: Probe): Probe {
  if (probe.enforce === null) return probe;
  const enforce = withObjectRoot(probe.enforce);
  // A copy asks for the place of the probe, and so reads its file.
  return enforce === probe.enforce ? probe : { ...probe, enforce };
}

function capabilityOf(probe: Probe, point: Point): string {
  const capability = withLabels(probe.capability, point);
  return probe.enforce === null ? capability : capabilityThrough(point['channel'], capability);
}

/** An axis of the cells of one model, with its labels in order: none for a setting that the model does not define. */
interface LabelledAxis {
  readonly name: string;
  readonly labels: readonly string[];
}

/**
 * In file order. The axis of `find` is searched, not varied; `load` goes as far as the limits allow; `enforce` adds
 * `channel` at the end.
 */
function labelledAxes(probe: Probe, model: ModelConfig, most: number): readonly LabelledAxis[] {
  const axes = probe.axes
    .filter(({ name }) => name !== probe.find?.axis)
    .map((axis) => ({
      name: axis.name,
      labels: axis.kind === 'values' ? [...axis.points.keys()] : settingLabels(model, axis.settings),
    }));
  return [
    ...axes,
    ...(probe.load.length > 0 ? [{ name: 'load', labels: probe.load.filter((load) => load <= most).map(String) }] : []),
    ...(probe.enforce === null ? [] : [{ name: 'channel', labels: enforceChannels }]),
  ];
}

const axisProductSize = (axes: readonly LabelledAxis[]): number =>
  axes.reduce((product, { labels }) => product * labels.length, 1);

/**
 * The points of a probe: the product of the axes (the last one varies fastest), or, with `each`, the first label of all
 * and then one axis at a time; without the points under `exclude`, and with those under `include`. An axis that an
 * `include` leaves out takes its first label; one that names a label which the model's settings lack adds none. No
 * point occurs twice. `leftOut` is the rest of the product, for a probe with `fill`.
 */
function planPoints(
  probe: Probe,
  axes: readonly LabelledAxis[],
): { readonly planned: readonly Point[]; readonly leftOut: readonly Point[] } {
  if (axes.some(({ labels }) => labels.length === 0)) return { planned: [], leftOut: [] };
  const first = pointFrom(axes, (axis) => axis.labels[0]);
  const wanted = (point: Point): boolean => !probe.exclude.some((excluded) => isSubset(excluded, point));
  const product = (): readonly Point[] =>
    axes
      .reduce<readonly Point[]>(
        (points, { name, labels }) => points.flatMap((point) => labels.map((label) => ({ ...point, [name]: label }))),
        [{}],
      )
      .filter(wanted);
  const each = [
    first,
    ...axes.flatMap(({ name, labels }) => labels.slice(1).map((label) => ({ ...first, [name]: label }))),
  ];
  const included = probe.include
    .map((named) => pointFrom(axes, ({ name }) => named[name] ?? first[name]))
    .filter((point) => axes.every(({ name, labels }) => labels.includes(point[name] ?? '')));
  const combined = probe.combine === 'product' ? product() : each.filter(wanted);
  const planned = new Map([...combined, ...included].map((point) => [pointIdentity(point), point]));
  const isFilled = probe.fill > 0 && axisProductSize(axes) <= mostPoints;
  const leftOut = isFilled ? product().filter((point) => !planned.has(pointIdentity(point))) : [];
  return { planned: [...planned.values()], leftOut };
}

const pointIdentity = (point: Point): string => writtenJson(Object.entries(point).sort());

function pointFrom(axes: readonly LabelledAxis[], label: (axis: LabelledAxis) => string | undefined): Point {
  return Object.fromEntries(axes.map((axis) => [axis.name, label(axis) ?? '']));
}

/** Whether every label of `part` is the point's label of that axis. */
export function isSubset(part: Point, point: Point): boolean {
  return Object.entries(part).every(([axis, label]) => Object.hasOwn(point, axis) && point[axis] === label);
}

/** One probe's part of an absent setting. */
export interface Absence {
  readonly probe: Probe;
  readonly model: ModelConfig;
  readonly settings: string;
}

/** The settings that a probe varies and the config does not define for the model. */
const absencesOf = (probe: Probe, model: ModelConfig): readonly Absence[] =>
  probe.axes.flatMap((axis) =>
    axis.kind === 'settings' && axis.name !== probe.find?.axis && settingLabels(model, axis.settings).length === 0
      ? [{ probe, model, settings: axis.settings }]
      : [],
  );

/** The labels that the config defines for the model; empty where it does not define the setting. */
export function settingLabels({ settings }: Pick<ModelConfig, 'settings'>, name: string): readonly string[] {
  return Object.hasOwn(settings, name) ? Object.keys(settings[name] ?? {}) : [];
}

/** The absences of all probes, one entry for each model and setting. */
export function collectedAbsences(absences: readonly Absence[]): readonly AbsentSetting[] {
  const groups = groupBy(absences, ({ model, settings }) => writtenJson([model.key, settings]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { model, settings } = first;
    const probes = group.map(({ probe }) => `${probe.suite}/${probe.name}`);
    return [{ model: model.key, settings, probes: [...new Set(probes)] }];
  });
}

/** `no settings "thinking" and "effort"`, behind "the config defines". */
export function settingsLacking(absences: readonly Pick<Absence, 'settings'>[]): string {
  const names = absences.map(({ settings }) => settings);
  return `no settings "${[...new Set(names)].join('" and "')}"`;
}
