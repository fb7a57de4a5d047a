import type { ModelConfig } from '../../config/config.js';
import {
  isObject,
  type Json,
  type JsonObject,
  parsedJson,
  writtenJson,
  at,
  pointerSteps,
  withValueAt,
} from '../../json/json.js';
import { derive, explicit, type Expectation, type ExpectSpec } from '../../judge/expectation.js';
import type { FindSpec } from '../../suite/probe.js';
import { isSubset } from '../cells/plan-cells.js';
import type { Ask, Cell, PlannedCell } from '../plan.js';
import { plainTexts } from '../../suite/references/literal-text.js';
import { askStep, bodyLayers, firstAsk, patched, renamed, withLayer } from './body-layers.js';
import { echoRequest, echoName } from './echo-request.js';
import { renderTemplates } from './template.js';

/** A request of a trial. */
export interface StepRequest {
  /** The body that is sent. */
  readonly body: Json;
  readonly expectation: Expectation;
}

/**
 * The requests of a cell, by trial and step. `values` are the variables of the trial (`variablesOf`), in a flow with
 * `steps`; throws a {@link TemplateError} for a template that they cannot fill. A request without templates is the same
 * object in all trials, so that its text is made once, and searched for keys once.
 */
export function createCellRequests({ cell }: PlannedCell): (ask: Ask, step: string, values: JsonObject) => StepRequest {
  const constant = new Map<string, Pick<Ask, 'kind' | 'patch'> & { readonly request: StepRequest }>();
  return ({ kind, patch }, step, values) => {
    const known = constant.get(step);
    if (known?.kind === kind && known.patch === patch) return known.request;
    const assembled = assemble(cell, { kind, patch }, step);
    const filled = filledTexts(cell, assembled, values);
    const body = addressed(filled, cell.model);
    const spec = specOf(cell, step);
    const filledSpec = renderTemplates(spec as Json, values);
    const request = { body, expectation: expectationOf(cell, body, filledSpec as ExpectSpec) };
    if (filled === assembled && filledSpec === spec) constant.set(step, { kind, patch, request });
    return request;
  };
}

/** The documents of an echo are sent unchanged, braces included. */
function filledTexts({ probe }: Cell, assembled: JsonObject, values: JsonObject): JsonObject {
  return (probe.enforce === null ? renderTemplates(assembled, values) : plainTexts(assembled)) as JsonObject;
}

/**
 * The plain request that is sent first to every model, and after a repeated 5xx to show whether the request caused it.
 */
export function controlBody(model: ModelConfig): Json {
  const plain: JsonObject = { messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 256 };
  const filled = renderTemplates(patched(patched(plain, model.request), model.control), model.vars);
  return addressed(filled as JsonObject, model);
}

/** The result of the client's own tool, in a flow's `run` step. */
export function toolResultOf(planned: PlannedCell, stepId: string, values: JsonObject): Json {
  const { probe } = planned.cell;
  const step = probe.steps.find(({ id }) => id === stepId);
  if (step?.kind !== 'run') {
    throw new TypeError(`${probe.suite}/${probe.name} has no step "${stepId}" that runs a tool`);
  }
  return renderTemplates(step.result, values);
}

/**
 * The variables of one trial, later ones over earlier ones: of the suite and the probe, of the model, of the sample row
 * (trial k takes row k modulo the number of rows), and the label of each axis under its name. A flow adds `steps`.
 */
export function variablesOf({ cell }: Pick<PlannedCell, 'cell'>, { sample }: Pick<Ask, 'sample'>): JsonObject {
  const { probe, model, point } = cell;
  const row = probe.samples.length === 0 ? {} : probe.samples[sample % probe.samples.length];
  return { ...(plainTexts(probe.vars) as JsonObject), ...model.vars, ...row, ...point };
}

/** `model` comes first, for readers of the journal; a patch may set another model. */
function addressed(body: JsonObject, { id, rename }: ModelConfig): JsonObject {
  return renamed({ model: id, ...body }, rename);
}

/**
 * The body before its templates are filled: its layers, of which an echo makes a request of its own before the config
 * of the model is merged; then the patch of the ask, and at last what a search repeats.
 */
export function assemble(cell: Cell, ask: Pick<Ask, 'kind' | 'patch'>, stepId: string): JsonObject {
  const { probe, point } = cell;
  const sent = bodyLayers(cell, stepId).reduce<JsonObject>((before, layer) => {
    const isEcho = layer.kind === 'model' && probe.enforce !== null;
    return withLayer(isEcho ? echoRequest(before, probe.enforce, ask.kind, point['channel']) : before, layer);
  }, {});
  const body = patched(sent, ask.patch);
  const { find } = probe;
  if (find?.repeat === undefined) return body;
  const { [find.axis]: times, ...others } = body;
  return find.repeat.reduce(
    (sent, one) => withRepeatedPart(sent, one, typeof times === 'number' ? times : find.from),
    others,
  );
}

type Repeat = NonNullable<FindSpec['repeat']>[number];

/** In a part: what stood at its place before, so that parts nest. */
const inner = '"{{inner}}"';

/** The body with a part of it so many times; `{{i}}` in the part counts from 1. */
function withRepeatedPart(body: JsonObject, { at: pointer, name = '', value }: Repeat, times: number): JsonObject {
  const steps = pointerSteps(pointer);
  let result: Json = body;
  for (let i = 1; i <= times; i++) {
    const place: Json = at(result, steps) ?? null;
    const counted = (text: string): string => text.replaceAll('{{i}}', String(i));
    const written = counted(writtenJson(value));
    const part = parsedJson(written.replace(inner, () => writtenJson(place))) as Json;
    if (written.includes(inner)) {
      result = withValueAt(result, steps, part);
    } else if (typeof place === 'string') {
      result = withValueAt(result, steps, place + (typeof part === 'string' ? part : writtenJson(part)));
    } else if (Array.isArray(place)) {
      result = withValueAt(result, steps, [...(place as readonly Json[]), part]);
    } else {
      result = withValueAt(result, [...steps, counted(name)], part);
    }
  }
  return isObject(result) ? result : body;
}

/** Derived from the body as sent, and overridden by what the suite says. */
function expectationOf(cell: Cell, body: Json, spec: ExpectSpec): Expectation {
  const derived = derive(isObject(body) ? withOwnNames(body, cell.model.rename) : {});
  return explicit(cell.probe.enforce === null ? derived : echoed(derived, cell), spec);
}

/**
 * The suite's `expect`, overridden by every `when` that matches the cell's labels, in order. In a flow a `when` applies
 * to each step.
 */
function specOf(cell: Cell, stepId: string): ExpectSpec {
  const { probe, point } = cell;
  const step = probe.enforce === null ? askStep(probe, stepId) : firstAsk(probe);
  const applicable = probe.when.filter((when) => isSubset(when.point, point)).map((when) => when.expect);
  return [reasoningExpectation(cell), step?.expect ?? {}, ...applicable].reduce<ExpectSpec>(mergedExpectSpec, {});
}

/** Effects of the usual labels of a setting on an answer, by the name that the setting has in the config. */
const effects = new Map<string, ExpectSpec['reasoning']>([
  ...['thinking=enabled', 'thinking=on', 'reasoning_effort=high'].map((one) => [one, 'present'] as const),
  ...['thinking=disabled', 'thinking=off', 'reasoning_effort=none'].map((one) => [one, 'absent'] as const),
]);

/** A setting that a probe varies is judged by what it does; a search for a threshold asks for something else. */
function reasoningExpectation({ probe, point }: Cell): ExpectSpec {
  if (probe.find !== null || probe.enforce !== null) return {};
  const varied = probe.axes.flatMap((axis) => (axis.kind === 'settings' ? [axis] : []));
  const reasoning = varied.map(({ settings, name }) => effects.get(`${settings}=${point[name] ?? ''}`)).find(Boolean);
  return reasoning === undefined ? {} : { reasoning };
}

/** Member by member: `rejected` is merged, and anything else (a schema, a list) is replaced whole. */
function mergedExpectSpec(under: ExpectSpec, over: ExpectSpec): ExpectSpec {
  const rejected = { ...under.rejected, ...over.rejected };
  const both = { ...under, ...over };
  return Object.keys(rejected).length === 0 ? both : { ...both, rejected };
}

/** The schema is checked even if the request does not contain it, to show whether the model would break it. */
type BodyExpectation = ReturnType<typeof derive>;

function echoed(derived: BodyExpectation, { probe, point }: Cell): BodyExpectation {
  if (point['channel'] === 'tools') return { ...derived, toolCall: { kind: 'named', name: echoName } };
  return { ...derived, content: 'json', schema: probe.enforce?.schema ?? null };
}

/** The body under the specification's names, where the model has its own. */
function withOwnNames(body: JsonObject, rename: Readonly<Record<string, string>>): JsonObject {
  const own = new Map(Object.entries(rename).map(([name, renamedTo]) => [renamedTo, name]));
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [own.get(name) ?? name, value]));
}
