import type { JsonObject } from '../../json/json.js';
import type { Ask, Ticket } from '../ticket.js';

/**
 * The variables of one trial, later ones over earlier ones: of the suite and the probe, of the model, the trial's
 * sample row (row k, modulo the number of rows, for trial k), and the label of each axis under its name. A flow adds
 * `steps`.
 */
export function variablesOf({ cell }: Ticket, { sample }: Pick<Ask, 'sample'>): JsonObject {
  const { probe, model, point } = cell;
  const row = probe.samples.length === 0 ? {} : probe.samples[sample % probe.samples.length];
  return { ...probe.vars, ...model.vars, ...row, ...point };
}
