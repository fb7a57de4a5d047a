import type { ModelConfig } from '../../config/config.js';
import type { Json, JsonObject } from '../../json/json.js';
import { assemble, patched, renamed } from './assemble-body.js';
import type { Ask, Cell, Ticket } from '../ticket.js';
import { requireSchemas } from './request-schemas.js';
import { renderTemplates } from './template.js';

/**
 * The literal body of one request. `values` are the variables of the trial (`variablesOf`), in a flow with `steps`.
 * Throws a {@link TemplateError} for a template that cannot be filled.
 */
export function bodyOf(ticket: Ticket, ask: Ask, stepId: string, values: JsonObject): Json {
  const { cell } = ticket;
  const same = knownBody(cell, ask, stepId);
  if (same !== undefined) return same;
  const assembled = assemble(cell, ask, stepId);
  // The documents of an echo are sent unchanged, braces included.
  const filled = cell.probe.enforce === null ? renderTemplates(assembled, values) : assembled;
  requireSchemas(assembled, filled);
  const body = addressed(filled as JsonObject, cell.model);
  if (filled === assembled) keepBody(cell, ask, stepId, body);
  return body;
}

interface KnownBody {
  readonly kind: Ask['kind'];
  readonly patch: JsonObject;
  readonly step: string;
  readonly body: JsonObject;
}

/**
 * Bodies without templates of the cells that were asked last: all trials of such a cell send the same one, which is then
 * measured, searched for keys and written out only once. A cell is asked in one go, so a few hundred are enough.
 */
const known = new Map<Cell, KnownBody[]>();
const mostCells = 300;

function knownBody(cell: Cell, { kind, patch }: Ask, step: string): JsonObject | undefined {
  return known.get(cell)?.find((one) => one.kind === kind && one.step === step && one.patch === patch)?.body;
}

function keepBody(cell: Cell, { kind, patch }: Ask, step: string, body: JsonObject): void {
  const bodies = known.get(cell) ?? [];
  // Courses that ask with a patch of their own make a new one each time.
  if (bodies.length < 20) bodies.push({ kind, patch, step, body });
  known.set(cell, bodies);
  const oldest = known.size > mostCells ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
}

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
