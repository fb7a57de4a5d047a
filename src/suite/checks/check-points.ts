import { didYouMean } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Path } from '../../files/source.js';
import type { Axis } from '../probe.js';
import type { Point } from '../../cell/cell-key.js';
import { probeProblem, type ProbeSource } from '../read/probe-source.js';
import type { PointFile } from '../suite-file.js';

/** Labels are texts, however they are written: `512` and `"512"` are the same. */
export function pointOf(written: PointFile): Point {
  return Object.fromEntries(Object.entries(written).map(([axis, label]) => [axis, String(label)]));
}

/** Every point that `exclude`, `include` and `when` name must exist. */
export function* pointProblems(probe: ProbeSource, axes: readonly Axis[]): Generator<Problem> {
  const { exclude = [], include = [], when = [] } = probe.written;
  for (const [index, point] of exclude.entries()) yield* misfits(probe, axes, ['exclude', index], point);
  for (const [index, point] of include.entries()) yield* misfits(probe, axes, ['include', index], point);
  for (const [index, { point }] of when.entries()) yield* misfits(probe, axes, ['when', index, 'point'], point);
}

/** Axis names and labels, with the axis that `enforce` brings and without the one that `find` searches. */
function knownLabels({ written }: ProbeSource, axes: readonly Axis[]): Map<string, readonly string[] | null> {
  const known = new Map<string, readonly string[] | null>();
  for (const axis of axes) {
    if (axis.name !== written.find?.axis) known.set(axis.name, axis.kind === 'values' ? [...axis.points.keys()] : null);
  }
  if (written.enforce !== undefined) known.set('channel', ['response_format', 'tools']);
  return known;
}

function* misfits(probe: ProbeSource, axes: readonly Axis[], path: Path, point: PointFile): Generator<Problem> {
  const known = knownLabels(probe, axes);
  for (const [axis, label] of Object.entries(pointOf(point))) {
    const labels = known.get(axis);
    if (labels === undefined) {
      const hint = didYouMean(axis, known.keys(), 'axes of this probe') ?? 'this probe varies nothing';
      yield probeProblem(probe, [...path, axis], `there is no axis "${axis}"`, hint, { part: 'key' });
    } else if (labels !== null && !labels.includes(label)) {
      const hint = didYouMean(label, labels, 'labels');
      yield probeProblem(probe, [...path, axis], `the axis ${axis} has no label "${label}"`, hint);
    }
  }
}
