import type { ModelConfig } from '../../config/config.js';
import { enforceChannels } from '../../suite/enforce-channels.js';
import type { Probe } from '../../suite/probe.js';
import type { Point } from '../../cell/cell-key.js';
import { labelsOf } from './absent-settings.js';

/** An axis of the cells of one model, with its labels in order. */
interface LabelledAxis {
  readonly name: string;
  /** Empty for a settings axis that the model does not define: then there are no points. */
  readonly labels: readonly string[];
  /** The name under the model's `settings`; null for an axis whose points are in the suite. */
  readonly settings: string | null;
}

/** Most cells of a probe for one model. A larger product is almost certainly a mistake. */
export const mostPoints = 10_000;

/**
 * The axes by which a probe becomes cells of a model, in file order. The axis of `find` is searched, not varied;
 * `enforce` adds `channel` at the end.
 */
export function axesOf(probe: Probe, model: Pick<ModelConfig, 'settings'>): readonly LabelledAxis[] {
  const axes = probe.axes
    .filter((axis) => axis.name !== probe.find?.axis)
    .map((axis) => ({
      name: axis.name,
      labels: axis.kind === 'values' ? [...axis.points.keys()] : labelsOf(model, axis.settings),
      settings: axis.kind === 'settings' ? axis.settings : null,
    }));
  return probe.enforce === null ? axes : [...axes, { name: 'channel', labels: enforceChannels, settings: null }];
}

/** The number of points before `exclude` and `include`. */
export function countPoints(axes: readonly LabelledAxis[], combine: Probe['combine']): number {
  return combine === 'product'
    ? axes.reduce((product, axis) => product * axis.labels.length, 1)
    : axes.reduce((sum, axis) => sum + axis.labels.length - 1, 1);
}

/** Whether some axis has no label at all. */
const isEmpty = (axes: readonly LabelledAxis[]): boolean => axes.some(({ labels }) => labels.length === 0);

/**
 * The points of a probe: the product of the axes (the last one varies fastest), or, with `each`, the first label of all
 * and then one axis at a time; without the points under `exclude`, and with those under `include`. An axis that an
 * `include` leaves out takes its first label; one that names a label which the model's settings lack adds none. No point
 * occurs twice.
 */
export function pointsOf(probe: Probe, axes: readonly LabelledAxis[]): readonly Point[] {
  if (isEmpty(axes)) return [];
  const first = axes.map(({ labels }) => labels[0] ?? '');
  const combined = probe.combine === 'product' ? product(axes) : oneAtATime(axes, first);
  const included = probe.include.map((named) =>
    pointFrom(
      axes,
      axes.map((axis, index) => named[axis.name] ?? first[index] ?? ''),
    ),
  );
  const defined = included.filter((point) => axes.every(({ name, labels }) => labels.includes(point[name] ?? '')));
  const distinct = new Map([...kept(combined, probe, axes), ...defined].map((point) => [nameOf(point), point]));
  return [...distinct.values()];
}

/** The rest of the product, for a probe with `fill`: asked only to settle a doubt. */
export function leftOutPointsOf(probe: Probe, axes: readonly LabelledAxis[]): readonly Point[] {
  if (probe.fill === 0) return [];
  const planned = new Set(pointsOf(probe, axes).map(nameOf));
  return productOf(probe, axes).filter((point) => !planned.has(nameOf(point)));
}

/** The product of the axes without the points under `exclude`, whatever `combine` says; none of a product that is too large. */
function productOf(probe: Probe, axes: readonly LabelledAxis[]): readonly Point[] {
  return isEmpty(axes) || countPoints(axes, 'product') > mostPoints ? [] : kept(product(axes), probe, axes);
}

function kept(rows: readonly (readonly string[])[], { exclude }: Probe, axes: readonly LabelledAxis[]): Point[] {
  const points = rows.map((labels) => pointFrom(axes, labels));
  return points.filter((point) => !exclude.some((excluded) => isSubset(excluded, point)));
}

const nameOf = (point: Point): string => JSON.stringify(Object.entries(point).sort());

/** Whether every label of `part` is the point's label of that axis. */
export function isSubset(part: Point, point: Point): boolean {
  return Object.entries(part).every(([axis, label]) => Object.hasOwn(point, axis) && point[axis] === label);
}

function product(axes: readonly LabelledAxis[]): readonly (readonly string[])[] {
  return axes.reduce<readonly (readonly string[])[]>(
    (rows, axis) => rows.flatMap((row) => axis.labels.map((label) => [...row, label])),
    [[]],
  );
}

function oneAtATime(axes: readonly LabelledAxis[], first: readonly string[]): readonly (readonly string[])[] {
  const steps = axes.flatMap((axis, index) => axis.labels.slice(1).map((label) => first.with(index, label)));
  return [first, ...steps];
}

function pointFrom(axes: readonly LabelledAxis[], labels: readonly string[]): Point {
  return Object.fromEntries(axes.map((axis, index) => [axis.name, labels[index] ?? '']));
}
