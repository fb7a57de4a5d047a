import { closestHint } from '../../files/problems/nearest.js';
import type { Config, ModelConfig } from '../../config/config.js';
import { nearest } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { capabilityThrough } from '../../suite/enforce-channels.js';
import type { Probe, Suite } from '../../suite/probe.js';
import { type Point, cellKey } from '../../cell/cell-key.js';
import type { Cell } from '../ticket.js';
import { withObjectRoot } from '../request/echo-request.js';
import { axesOf, countPoints, mostPoints, pointsOf, leftOutPointsOf, type LabelledAxis } from './cell-points.js';

export interface Cells {
  readonly cells: readonly Cell[];
  /** Points that `combine: each` left out of a probe with `fill`: asked only to settle a doubt. */
  readonly leftOut: readonly Cell[];
  readonly problems: readonly Problem[];
}

/** Every cell of the suites for every model of the config, before any filter, model by model. */
export function allCells(config: Config, suites: readonly Suite[]): Cells {
  const probes = suites.flatMap((suite) => suite.probes);
  const problems = new Map<string, Problem>();
  const made = config.targets
    .flatMap((target) => target.models)
    .flatMap((model) => probes.map((probe) => cellsOf(probe, model)));
  for (const problem of made.flatMap((one) => one.problems)) problems.set(problem.message, problem);
  return {
    cells: made.flatMap((one) => one.cells),
    leftOut: made.flatMap((one) => one.leftOut),
    problems: [...problems.values()],
  };
}

/** The cells of one probe for one model. */
export function cellsOf(written: Probe, model: ModelConfig): Cells {
  const probe = withSendableSchema(written);
  const name = `${probe.suite}/${probe.name}`;
  const axes = axesOf(probe, model.settings);
  const count = countPoints(axes, probe.combine);
  if (count > mostPoints) {
    const message = `the axes of ${name} make ${count} cells for each model, more than ${mostPoints}`;
    const hint = 'write "combine: each", or name the points you need under "include"';
    return { cells: [], leftOut: [], problems: [{ severity: 'error', message, hint, place: probe.place }] };
  }
  const problems = unknownLabels(probe, axes, name);
  if (problems.length > 0) return { cells: [], leftOut: [], problems };
  const cellAt = (point: Point): Cell => ({
    key: cellKey(
      name,
      axes.map((axis) => [axis.name, point[axis.name] ?? '']),
      model.key,
    ),
    probe,
    point,
    model,
    capability: capabilityOf(probe, point),
    needs: [],
    selected: true,
    skip: skipReason(axes, point, model),
  });
  const leftOut = leftOutPointsOf(probe, axes).map(cellAt);
  return { cells: pointsOf(probe, axes).map(cellAt), leftOut: leftOut.filter(({ skip }) => skip === null), problems };
}

function withSendableSchema(probe: Probe): Probe {
  return probe.enforce === null ? probe : { ...probe, enforce: withObjectRoot(probe.enforce) };
}

/** `{{axis}}` in a capability id stands for the label of that axis. */
function capabilityOf(probe: Probe, point: Point): string {
  const capability = probe.capability.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (template, axis: string) =>
    Object.hasOwn(point, axis) ? (point[axis] ?? template) : template,
  );
  return probe.enforce === null ? capability : capabilityThrough(point['channel'], capability);
}

function skipReason(axes: readonly LabelledAxis[], point: Point, model: ModelConfig): string | null {
  for (const { name, settings } of axes) {
    if (settings === null) continue;
    const defined = Object.hasOwn(model.settings, settings) ? (model.settings[settings] ?? {}) : {};
    const label = point[name] ?? '';
    if (Object.hasOwn(defined, label)) continue;
    return Object.keys(defined).length === 0
      ? `the config defines no settings "${settings}" for ${model.key}: add "settings: { ${settings}: { LABEL: { ...body patch } } }" to the target or the model`
      : `the settings "${settings}" of ${model.key} have no label "${label}", only ${Object.keys(defined).join(', ')}`;
  }
  return null;
}

function unknownLabels(probe: Probe, axes: readonly LabelledAxis[], name: string): readonly Problem[] {
  return probe.include.flatMap((point) =>
    Object.entries(point).flatMap(([axisName, label]): Problem[] => {
      const axis = axes.find((candidate) => candidate.name === axisName);
      if (axis === undefined) return [];
      if (axis.settings !== null || axis.labels.includes(label)) return [];
      const message = `"include" of ${name} names ${axisName}=${label}, but the axis has no such label`;
      const hint = closestHint(label, axis.labels);
      return [{ severity: 'error', message, place: probe.place, ...(hint === undefined ? {} : { hint }) }];
    }),
  );
}

/**
 * Warnings for settings axes that no model defines, but that almost have the name of one that a model does define: all
 * their cells would be `not_run`. For an axis that resembles none, the reports say what to add.
 */
export function misspeltSettings(config: Config, suites: readonly Suite[]): readonly Problem[] {
  const models = config.targets.flatMap((target) => target.models);
  const defined = new Set(models.flatMap(({ settings }) => Object.keys(settings)));
  return suites
    .flatMap(({ probes }) => probes)
    .flatMap(({ suite, name, axes, place }) =>
      axes.flatMap((axis): Problem[] => {
        if (axis.kind !== 'settings' || defined.has(axis.settings)) return [];
        const meant = nearest(axis.settings, defined);
        if (meant === null) return [];
        const message = `${suite}/${name} varies the settings "${axis.settings}", which no model of the config defines`;
        return [{ severity: 'warning', message, hint: `did you mean "${meant}"?`, place }];
      }),
    );
}
