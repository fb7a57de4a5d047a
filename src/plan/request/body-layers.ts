import type { ModelConfig } from '../../config/config.js';
import { isObject, type Json, type JsonObject, at, withValueAt } from '../../json/json.js';
import { mergePatch } from '../../json/merge-patch.js';
import type { Axis, Probe, Step } from '../../suite/probe.js';
import type { Cell } from '../plan.js';

/** A part of a request body: the request of a step, and what is merged over the parts before it. */
export type BodyLayer =
  | { readonly kind: 'request'; readonly body: JsonObject }
  | { readonly kind: 'model'; readonly patch: JsonObject }
  | { readonly kind: 'setting'; readonly patch: JsonObject; readonly settings: string; readonly label: string }
  | {
      readonly kind: 'value';
      readonly axis: string;
      readonly label: string;
      /** The way to the field that takes the value; undefined: it is removed. */
      readonly at: readonly string[];
      readonly value: Json | undefined;
    };

/** The parts in their order: the request of the step, each axis of the point in file order, the config of the model. */
export function bodyLayers(cell: Cell, stepId: string): readonly BodyLayer[] {
  const { probe, model } = cell;
  const request = probe.enforce === null ? askStep(probe, stepId).request : (firstAsk(probe)?.request ?? {});
  const axes = probe.axes.filter((axis) => axis.kind === 'settings' || belongsTo(stepId, axis.at, probe));
  return [
    { kind: 'request', body: request },
    ...axes.flatMap((axis) => layerOfAxis(axis, cell) ?? []),
    { kind: 'model', patch: model.request },
  ];
}

/** null: the point of the cell has no such label. */
export function layerOfAxis(axis: Axis, { point, model }: Pick<Cell, 'point' | 'model'>): BodyLayer | null {
  const label = point[axis.name];
  if (label === undefined) return null;
  if (axis.kind === 'settings') {
    const patch = model.settings[axis.settings]?.[label] ?? {};
    return { kind: 'setting', patch, settings: axis.settings, label };
  }
  const value = axis.points.get(label);
  if (value === undefined) return null;
  return {
    kind: 'value',
    axis: axis.name,
    label,
    at: axis.at,
    value: value.kind === 'unset' ? undefined : value.value,
  };
}

export function withLayer(body: JsonObject, layer: BodyLayer): JsonObject {
  if (layer.kind === 'request') return layer.body;
  if (layer.kind !== 'value') return patched(body, layer.patch);
  if (layer.value === undefined && at(body, layer.at) === undefined) return body;
  const changed = withValueAt(body, layer.at, layer.value);
  return isObject(changed) ? changed : body;
}

/** Merge patch of two objects, which is an object. */
export function patched(body: JsonObject, patch: JsonObject): JsonObject {
  const merged = mergePatch(body, patch);
  return isObject(merged) ? merged : {};
}

/** With a model's own names for top-level fields. A renamed field keeps its place and replaces one of that name. */
export function renamed(body: JsonObject, rename: ModelConfig['rename']): JsonObject {
  const entries = Object.entries(body);
  if (!entries.some(([name]) => Object.hasOwn(rename, name))) return body;
  const taken = new Set(entries.flatMap(([name]) => (Object.hasOwn(rename, name) ? [rename[name]] : [])));
  return Object.fromEntries(
    entries
      .filter(([name]) => Object.hasOwn(rename, name) || !taken.has(name))
      .map(([name, value]) => [Object.hasOwn(rename, name) ? (rename[name] ?? name) : name, value]),
  );
}

type AskStep = Extract<Step, { kind: 'ask' }>;

/** The asking step of that id. Throws a TypeError when the probe has none. */
export function askStep(probe: Probe, stepId: string): AskStep {
  const step = probe.steps.find(({ id }) => id === stepId);
  if (step?.kind !== 'ask') throw new TypeError(`${probe.suite}/${probe.name} has no ask step "${stepId}"`);
  return step;
}

export function firstAsk(probe: Probe): AskStep | undefined {
  return probe.steps.find((step) => step.kind === 'ask');
}

/**
 * In a flow an axis replaces its field in the steps that have it; when no step has it, it is set in all of them. So
 * `tool_choice` reaches the step with the tools and not the summary after it.
 */
function belongsTo(stepId: string, steps: readonly string[], probe: Probe): boolean {
  const having = probe.steps.filter((step) => step.kind === 'ask' && at(step.request, steps) !== undefined);
  return having.length === 0 || probe.enforce !== null || having.some(({ id }) => id === stepId);
}
