import type { ConfigOrigin } from '../../config/load-config.js';
import { problemAt, type ProblemOptions } from '../../files/problems/problem-at.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Path } from '../../files/source.js';
import type { Json } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import type { ProbeOrigin } from '../../suite/probe-origin.js';
import { askStep, belongsTo } from '../request/assemble-body.js';
import type { Cell } from '../ticket.js';

/** Something that was merged into a body: a value at a place of the body, and where it is written. */
interface Layer {
  readonly value: Json;
  readonly at: readonly string[];
  readonly written: (below: Path) => Written;
}

type Written = { readonly in: 'config' | 'suite'; readonly path: Path };

/** Makes the problem of a place in the body, where the author wrote what stands there. */
export type BodyProblem = (path: Path, message: string, hint?: string, options?: ProblemOptions) => Problem;

export function bodyProblemFor(
  cell: Cell,
  stepId: string,
  origin: ProbeOrigin,
  config: ConfigOrigin,
  modelPath: Path,
): BodyProblem {
  const layers = [...layersOf(cell, stepId, origin, config, modelPath)];
  return (path, ...problem) => {
    const written = whereWritten(layers, path);
    return written.in === 'config'
      ? config.problemAt(written.path, ...problem)
      : problemAt(origin.source, written.path, ...problem);
  };
}

/** The last layer that has the place, or else as much of the way to it as any layer has; else the request itself. */
function whereWritten(layers: readonly Layer[], path: Path): Written {
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length).map(String);
    const layer = layers.find(
      ({ value, at: base }) =>
        base.every((step, index) => steps[index] === step) && at(value, steps.slice(base.length)) !== undefined,
    );
    if (layer !== undefined) return layer.written(path.slice(layer.at.length, length));
  }
  return layers.at(-1)?.written([]) ?? { in: 'suite', path: [] };
}

/** The last one first. */
function* layersOf(
  { probe, point, model }: Cell,
  stepId: string,
  origin: ProbeOrigin,
  config: ConfigOrigin,
  modelPath: Path,
): Generator<Layer> {
  const inConfig = (value: Json, path: Path): Layer => ({
    ...{ value, at: [] },
    written: (below) => ({ in: 'config', path: [...path, ...below] }),
  });
  yield inConfig(model.request, [...modelPath, 'request']);
  for (const axis of probe.axes.toReversed()) {
    const label = point[axis.name];
    if (label === undefined) continue;
    if (axis.kind === 'settings') {
      const patch = model.settings[axis.settings]?.[label] ?? null;
      const own = [...modelPath, 'settings', axis.settings, label];
      const path = config.has(own) ? own : [...modelPath.slice(0, 2), 'settings', axis.settings, label];
      if (patch !== null) yield inConfig(patch, path);
      continue;
    }
    const value = axis.points.get(label);
    if (value?.kind !== 'value' || !belongsTo(stepId, axis.at, probe)) continue;
    const path = origin.pointPath(axis.name, label);
    yield {
      ...{ value: value.value, at: axis.at },
      written: (below) => ({ in: 'suite', path: [...path, ...below] }),
    };
  }
  yield {
    ...{ value: askStep(probe, stepId).request, at: [] },
    written: (below) => ({ in: 'suite', path: origin.requestPath(stepId, below) }),
  };
}
