import type { Problem } from '../../files/problems/problem.js';
import { isObject, type Json } from '../../json/json.js';
import { pointerSteps } from '../../json/pointer.js';
import type { Axis, PointValue } from '../probe.js';
import { probeProblem, type ProbeSource } from './probe-source.js';
import type { AxisFile } from '../suite-file.js';

const label = /^[A-Za-z0-9._+-]{1,64}$/;
const labelHint = 'a label has 1 to 64 letters, digits, dots, underscores, plus signs or hyphens';

/** The axes of `vary`, in file order: named points, a list, `{ settings }` or `{ at, points }`. */
export function readAxes(probe: ProbeSource): { axes: Axis[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const axes = Object.entries(probe.written.vary ?? {}).map(([name, written]): Axis => {
    const shape = shapeOf(written);
    if (shape.kind === 'settings') return { kind: 'settings', name, settings: shape.settings };
    const path = ['vary', name, ...shape.below];
    problems.push(...halfForms(probe, name, shape));
    const at = steps(shape.at, name);
    if (at === null) {
      const message = `${JSON.stringify(shape.at)} is no JSON Pointer to a field of the body`;
      problems.push(
        probeProblem(probe, ['vary', name, 'at'], message, 'write /field, or /field/inner for a field inside'),
      );
    }
    const points = new Map<string, PointValue>();
    for (const [step, key, value] of pointsOf(shape.points)) {
      if (!label.test(key)) {
        const part = typeof step === 'string' ? 'key' : 'value';
        problems.push(
          probeProblem(probe, [...path, step], `${JSON.stringify(key.slice(0, 80))} is no label`, labelHint, { part }),
        );
      } else if (points.has(key)) {
        const message = `the label ${key} stands twice on the axis ${name}`;
        problems.push(probeProblem(probe, [...path, step], message, 'labels are compared as texts'));
      } else points.set(key, value === null ? { kind: 'unset' } : { kind: 'value', value });
    }
    return { kind: 'values', name, at: at ?? [name], points, listed: Array.isArray(shape.points) };
  });
  return { axes, problems: [...problems, ...collisions(probe, axes)] };
}

type Shape =
  | { readonly kind: 'settings'; readonly settings: string }
  | { readonly kind: 'values'; readonly at: string | null; readonly points: Json; readonly below: readonly string[] };

function shapeOf(written: AxisFile): Shape {
  if (Array.isArray(written)) return { kind: 'values', at: null, points: written, below: [] };
  const { settings, at, points, ...others } = written as Readonly<Record<string, Json | undefined>>;
  const alone = Object.keys(others).length === 0;
  if (alone && typeof settings === 'string' && at === undefined && points === undefined)
    return { kind: 'settings', settings };
  if (alone && typeof at === 'string' && points !== undefined && settings === undefined) {
    return { kind: 'values', at, points, below: ['points'] };
  }
  return { kind: 'values', at: null, points: written as Json, below: [] };
}

/** `{ at }` without `points` and the like is no axis with a label called "at". */
function* halfForms(
  probe: ProbeSource,
  name: string,
  { at, points }: Extract<Shape, { kind: 'values' }>,
): Generator<Problem> {
  if (at !== null || !isObject(points)) return;
  const used = ['settings', 'at', 'points'].find((key) => Object.hasOwn(points, key));
  if (used === undefined) return;
  const hint = 'write { settings: NAME }, or { at: /pointer, points: { label: value } }, with nothing beside it';
  yield probeProblem(probe, ['vary', name, used], `"${used}" cannot be a label`, hint, { part: 'key' });
}

function* pointsOf(points: Json): Generator<readonly [step: string | number, label: string, value: Json]> {
  if (Array.isArray(points)) {
    for (const [index, value] of (points as readonly Json[]).entries())
      yield [index, typeof value === 'string' ? value : JSON.stringify(value), value];
  } else if (isObject(points)) {
    for (const [name, value] of Object.entries(points)) yield [name, name, value];
  }
}

function steps(at: string | null, name: string): readonly string[] | null {
  if (at === null) return [name];
  return at.startsWith('/') && at !== '/' ? pointerSteps(at) : null;
}

/** Two axes that set the same field would hide each other. */
function* collisions(probe: ProbeSource, axes: readonly Axis[]): Generator<Problem> {
  const seen = new Map<string, string>();
  for (const axis of axes) {
    if (axis.kind !== 'values') continue;
    const field = `/${axis.at.join('/')}`;
    const other = seen.get(field);
    seen.set(field, axis.name);
    if (other === undefined) continue;
    yield probeProblem(
      probe,
      ['vary', axis.name],
      `the axes ${other} and ${axis.name} both set ${field}`,
      'join them',
      { part: 'key' },
    );
  }
}
