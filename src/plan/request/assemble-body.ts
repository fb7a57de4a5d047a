import type { ModelConfig } from '../../config/config.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { mergePatch } from '../../json/merge-patch.js';
import { at, pointerSteps, withValueAt } from '../../json/pointer.js';
import type { Axis, FindSpec, Probe, Step } from '../../suite/probe.js';
import type { Ask, Cell } from '../ticket.js';
import { echoRequest } from './echo-request.js';

type AskStep = Extract<Step, { kind: 'ask' }>;

/**
 * The body before its templates are filled: the step's request, then the point's values and settings, the model's patch
 * and the ask's patch, each merged over the ones before; at last what a search repeats.
 */
export function assemble(cell: Cell, ask: Pick<Ask, 'kind' | 'patch'>, stepId: string): JsonObject {
  const { probe, model } = cell;
  const request = probe.enforce === null ? askStep(probe, stepId).request : (firstAsk(probe)?.request ?? {});
  const varied = probe.axes.reduce<JsonObject>((body, axis) => withPoint(body, axis, cell, stepId), request);
  const asked = probe.enforce === null ? varied : echoRequest(varied, probe.enforce, ask.kind, cell.point['channel']);
  const body = patched(patched(asked, model.request), ask.patch);
  const { find } = probe;
  if (find?.repeat === undefined) return body;
  const { [find.axis]: times, ...others } = body;
  return find.repeat.reduce((sent, one) => repeated(sent, one, typeof times === 'number' ? times : find.from), others);
}

type Repeat = NonNullable<FindSpec['repeat']>[number];

/** In a part: what stood at its place before, so that parts nest. */
const inner = '"{{inner}}"';

/** The body with a part of it so many times; `{{i}}` in the part counts from 1. */
function repeated(body: JsonObject, { at: pointer, name = '', value }: Repeat, times: number): JsonObject {
  const steps = pointerSteps(pointer);
  let result: Json = body;
  for (let i = 1; i <= times; i++) {
    const place: Json = at(result, steps) ?? null;
    const counted = (text: string): string => text.replaceAll('{{i}}', String(i));
    const written = counted(JSON.stringify(value));
    const part = JSON.parse(written.replace(inner, () => JSON.stringify(place))) as Json;
    if (written.includes(inner)) result = withValueAt(result, steps, part);
    else if (typeof place === 'string')
      result = withValueAt(result, steps, place + (typeof part === 'string' ? part : JSON.stringify(part)));
    else if (Array.isArray(place)) result = withValueAt(result, steps, [...(place as readonly Json[]), part]);
    else result = withValueAt(result, [...steps, counted(name)], part);
  }
  return isObject(result) ? result : body;
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
