import type { ModelConfig } from '../../config/config.js';
import type { Json, JsonObject } from '../../json/json.js';
import { assemble, patched, renamed } from './assemble-body.js';
import type { Ask, Cell, Ticket } from '../ticket.js';
import { renderTemplates } from './template.js';

/**
 * The literal body of one request. `values` are the variables of the trial (`variablesOf`), in a flow with `steps`.
 * Throws a {@link TemplateError} for a template that cannot be filled.
 */
export function bodyOf({ cell }: Ticket, { kind, patch }: Ask, step: string, values: JsonObject): Json {
  const same = known.get(cell)?.find((one) => one.kind === kind && one.step === step && one.patch === patch);
  if (same !== undefined) return same.body;
  const assembled = assemble(cell, { kind, patch }, step);
  // The documents of an echo are sent unchanged, braces included.
  const filled = cell.probe.enforce === null ? renderTemplates(assembled, values) : assembled;
  const body = addressed(filled as JsonObject, cell.model);
  if (filled === assembled) known.set(cell, [...(known.get(cell) ?? []).slice(-mostKept), { kind, patch, step, body }]);
  return body;
}

/**
 * Bodies without templates, which are the same in all trials of a cell: each is measured, searched for keys and written
 * out only once. Courses that ask with a patch of their own make a new one each time.
 */
const known = new WeakMap<Cell, readonly (Pick<Ask, 'kind' | 'patch'> & { step: string; body: JsonObject })[]>();
const mostKept = 20;

/** The plain request that is sent first to every model, and after a repeated 5xx to show whether the request caused it. */
export function controlBody(model: ModelConfig): Json {
  const plain: JsonObject = { messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 256 };
  const filled = renderTemplates(patched(patched(plain, model.request), model.control), model.vars);
  return addressed(filled as JsonObject, model);
}

/** What the client's own tool returns: the result of a flow's `run` step. */
export function toolResultOf(ticket: Ticket, stepId: string, values: JsonObject): Json {
  const { probe } = ticket.cell;
  const step = probe.steps.find(({ id }) => id === stepId);
  if (step?.kind !== 'run')
    throw new TypeError(`${probe.suite}/${probe.name} has no step "${stepId}" that runs a tool`);
  return renderTemplates(step.result, values);
}

/**
 * The variables of one trial, later ones over earlier ones: of the suite and the probe, of the model, of the sample row
 * (trial k takes row k modulo the number of rows), and the label of each axis under its name. A flow adds `steps`.
 */
export function variablesOf({ cell }: Pick<Ticket, 'cell'>, { sample }: Pick<Ask, 'sample'>): JsonObject {
  const { probe, model, point } = cell;
  const row = probe.samples.length === 0 ? {} : probe.samples[sample % probe.samples.length];
  return { ...probe.vars, ...model.vars, ...row, ...point };
}

/** `model` comes first, for readers of the journal; a patch may set another model. */
function addressed(body: JsonObject, { id, rename }: ModelConfig): JsonObject {
  return renamed({ model: id, ...body }, rename);
}
