import { isObject, type Json, writtenJson, pointerSteps } from '../../json/json.js';
import type { Axis, PointValue } from '../probe.js';
import type { AxisFile, ProbeFile } from '../suite-file.js';

/**
 * The axes of `vary`, in file order. Where the file is wrong, an axis keeps what can be read: the check of the axes
 * reports the rest.
 */
export function readAxes({ vary = {} }: ProbeFile): Axis[] {
  return Object.entries(vary).map(([name, written]): Axis => {
    const form = axisForm(written);
    if (form.kind === 'settings') return { kind: 'settings', name, settings: form.settings };
    const points = new Map<string, PointValue>();
    for (const { label, value } of pointsIn(form.points)) {
      if (!isLabel(label) || points.has(label)) continue;
      points.set(label, value === null ? { kind: 'unset' } : { kind: 'value', value });
    }
    const at = fieldSteps(form.at, name) ?? [name];
    return { kind: 'values', name, at, points, listed: Array.isArray(form.points) };
  });
}

/** How an axis is written: `{ settings }`, or its points, alone or as `{ at, points }`. */
export type AxisForm =
  | { readonly kind: 'settings'; readonly settings: string }
  | { readonly kind: 'values'; readonly at: string | null; readonly points: Json; readonly below: readonly string[] };

export function axisForm(written: AxisFile): AxisForm {
  if (Array.isArray(written)) return { kind: 'values', at: null, points: written, below: [] };
  const { settings, at, points, ...others } = written as Readonly<Record<string, Json | undefined>>;
  const alone = Object.keys(others).length === 0;
  if (alone && typeof settings === 'string' && at === undefined && points === undefined) {
    return { kind: 'settings', settings };
  }
  if (alone && typeof at === 'string' && points !== undefined && settings === undefined) {
    return { kind: 'values', at, points, below: ['points'] };
  }
  return { kind: 'values', at: null, points: written as Json, below: [] };
}

/** The points of an axis, named or listed: `step` is the name or the index, and a listed value is its own label. */
export function* pointsIn(points: Json): Generator<{ step: string | number; label: string; value: Json }> {
  if (Array.isArray(points)) {
    for (const [index, value] of (points as readonly Json[]).entries()) {
      yield { step: index, label: typeof value === 'string' ? value : writtenJson(value), value };
    }
  } else if (isObject(points)) {
    for (const [name, value] of Object.entries(points)) yield { step: name, label: name, value };
  }
}

export function isLabel(text: string): boolean {
  return /^[A-Za-z0-9._+-]{1,64}$/.test(text);
}

/** The steps to the field that an axis sets, by default the one of its name; null when `at` is not a JSON Pointer. */
export function fieldSteps(at: string | null, name: string): readonly string[] | null {
  if (at === null) return [name];
  return at.startsWith('/') && at !== '/' ? pointerSteps(at) : null;
}
