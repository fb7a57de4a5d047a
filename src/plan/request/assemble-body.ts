import type { ModelConfig } from '../../config/config.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { mergePatch } from '../../json/merge-patch.js';
import { at, withValueAt } from '../../json/pointer.js';
import type { Axis, Probe, Step } from '../../suite/probe.js';
import type { Ask, Cell } from '../ticket.js';
import { echoRequest } from './echo-request.js';

type AskStep = Extract<Step, { kind: 'ask' }>;

/**
 * The body before its templates are filled: the step's request, then the point's values and settings, the model's patch
 * and the ask's patch, each merged over the ones before.
 */
export function assemble(cell: Cell, ask: Pick<Ask, 'kind' | 'patch'>, stepId: string): JsonObject {
  const { probe, model } = cell;
  const request = probe.enforce === null ? askStep(probe, stepId).request : (firstAsk(probe)?.request ?? {});
  const varied = probe.axes.reduce<JsonObject>((body, axis) => withPoint(body, axis, cell, stepId), request);
  const asked = probe.enforce === null ? varied : echoRequest(varied, probe.enforce, ask.kind, cell.point['channel']);
  return patched(patched(asked, model.request), ask.patch);
}

/** The asking step of that id. Throws a TypeError when the probe has none. */
export function askStep(probe: Probe, stepId: string): AskStep {
  const step = probe.steps.find(({ id }) => id === stepId);
  if (step?.kind !== 'ask') throw new TypeError(`${probe.suite}/${probe.name} has no ask step "${stepId}"`);
  return step;
}

export function firstAsk(probe: Probe): AskStep | undefined {
  return probe.steps.find((step) => step.kind === 'ask');
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

function withPoint(body: JsonObject, axis: Axis, { probe, point, model }: Cell, stepId: string): JsonObject {
  const label = point[axis.name];
  if (label === undefined) return body;
  if (axis.kind === 'settings') {
    const patch = model.settings[axis.settings]?.[label] ?? {};
    return patched(body, patch);
  }
  const value = axis.points.get(label);
  if (value === undefined || !belongsTo(stepId, axis.at, probe)) return body;
  const replacement = value.kind === 'unset' ? undefined : value.value;
  const changed =
    replacement === undefined && at(body, axis.at) === undefined ? body : withValueAt(body, axis.at, replacement);
  return isObject(changed) ? changed : body;
}

/**
 * In a flow an axis replaces its field in the steps that have it; when no step has it, it is set in all of them. So
 * `tool_choice` reaches the step with the tools and not the summary after it.
 */
export function belongsTo(stepId: string, steps: readonly string[], probe: Probe): boolean {
  const having = probe.steps.filter((step) => step.kind === 'ask' && at(step.request, steps) !== undefined);
  return having.length === 0 || probe.enforce !== null || having.some(({ id }) => id === stepId);
}
