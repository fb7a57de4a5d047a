import type { Config, ModelConfig } from '../../config/config.js';
import type { Path } from '../../files/source.js';
import type { JsonObject } from '../../json/json.js';
import type { Probe } from '../../suite/probe.js';
import { cellsOf } from '../cells/plan-cells.js';
import { assemble, firstAsk } from '../request/assemble-body.js';
import type { Cell } from '../ticket.js';

/** The bodies of one cell, before their templates are filled. */
export interface CellBodies {
  readonly cell: Cell;
  /** Where the config has the model. */
  readonly modelPath: Path;
  readonly bodies: readonly { readonly step: string; readonly body: JsonObject }[];
}

/** A model of the config, and where it is. */
export interface PlacedModel {
  readonly model: ModelConfig;
  readonly path: Path;
}

/** Models that send the same bodies count once. */
export function differentModels({ targets }: Config): readonly PlacedModel[] {
  const models = new Map<string, PlacedModel>();
  for (const { name, models: listed } of targets) {
    for (const [index, model] of listed.entries()) {
      const { request, settings, vars } = model;
      const key = JSON.stringify([request, settings, vars]);
      if (!models.has(key)) models.set(key, { model, path: ['targets', name, 'models', index] });
    }
  }
  return [...models.values()];
}

/** Everything that a probe can send to these models. */
export function* cellBodies(probe: Probe, models: readonly PlacedModel[]): Generator<CellBodies> {
  for (const { model, path } of models) {
    const { cells, leftOut } = cellsOf(probe, model);
    for (const cell of [...cells, ...leftOut]) {
      if (cell.skip === null) yield { cell, modelPath: path, bodies: bodiesOf(cell) };
    }
  }
}

function bodiesOf(cell: Cell): CellBodies['bodies'] {
  const { probe } = cell;
  if (probe.enforce !== null) {
    const step = firstAsk(probe)?.id ?? 'request';
    return [{ step, body: assemble(cell, { kind: 'valid', patch: {} }, step) }];
  }
  return probe.steps
    .filter(({ kind }) => kind === 'ask')
    .map(({ id }) => ({ step: id, body: assemble(cell, { kind: 'trial', patch: {} }, id) }));
}
