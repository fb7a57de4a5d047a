import { closestHint } from '../../files/problems/nearest.js';
import type { Config, ModelConfig } from '../../config/config.js';
import { nearest } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { capabilityThrough } from '../../suite/enforce-channels.js';
import type { Probe, Suite } from '../../suite/probe.js';
import { type Point, cellKey } from '../../cell/cell-key.js';
import type { Cell } from '../ticket.js';
import { absencesOf, type Absence } from './absent-settings.js';
import { withObjectRoot } from '../request/echo-request.js';
import { axesOf, countPoints, leftOutPointsOf, mostPoints, pointsOf, type LabelledAxis } from './cell-points.js';

export interface Cells {
  readonly cells: readonly Cell[];
  /** Points that `combine: each` left out of a probe with `fill`: asked only to settle a doubt. */
  readonly leftOut: readonly Cell[];
  /** What the probes vary and the config does not define. */
  readonly absences: readonly Absence[];
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
    absences: made.flatMap((one) => one.absences),
    problems: [...problems.values()],
  };
}

/** The cells of one probe for one model. */
export function cellsOf(written: Probe, model: ModelConfig): Cells {
  const probe = withSendableSchema(written);
  const name = `${probe.suite}/${probe.name}`;
  const axes = axesOf(probe, model);
  const count = countPoints(axes, probe.combine);
  const none = { cells: [], leftOut: [], absences: [] };
  if (count > mostPoints) {
    const message = `the axes of ${name} make ${count} cells for each model, more than ${mostPoints}`;
    const hint = 'write "combine: each", or name the points you need under "include"';
    return { ...none, problems: [{ severity: 'error', message, hint, place: probe.place }] };
  }
  const problems = unknownLabels(probe, axes, name);
  if (problems.length > 0) return { ...none, problems };
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
    unmeetable: null,
  });
  return {
    cells: pointsOf(probe, axes).map(cellAt),
    leftOut: leftOutPointsOf(probe, axes).map(cellAt),
    absences: absencesOf(probe, model),
    problems,
  };
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
 * Warnings for settings axes that no model defines, but that almost have the name of one that a model does define: they
 * make no cells. For an axis that resembles none, the reports say what to add.
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
