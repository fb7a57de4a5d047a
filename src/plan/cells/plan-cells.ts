import type { Config, ModelConfig } from '../../config/config.js';
import type { Problem } from '../../files/problems/problem.js';
import { capabilityThrough } from '../../suite/enforce-channels.js';
import type { Probe, Suite } from '../../suite/probe.js';
import { type Point, cellKey } from '../../cell/cell-key.js';
import type { Cell } from '../ticket.js';
import { absencesOf, type Absence } from './absent-settings.js';
import { withObjectRoot } from '../request/echo-request.js';
import { axesOf, countPoints, leftOutPointsOf, mostPoints, pointsOf } from './cell-points.js';

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
  if (count > mostPoints) {
    const message = `the axes of ${name} make ${count} cells for each model, more than ${mostPoints}`;
    const hint = 'write "combine: each", or name the points you need under "include"';
    return {
      cells: [],
      leftOut: [],
      absences: [],
      problems: [{ severity: 'error', message, hint, place: probe.place }],
    };
  }
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
    problems: [],
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
