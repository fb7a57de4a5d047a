import type { Config, ModelConfig, Settings } from '../../config/config.js';
import type { Path } from '../../files/source.js';
import type { JsonObject } from '../../json/json.js';
import type { Probe } from '../../suite/probe.js';
import { labelsOf } from '../cells/absent-settings.js';
import { cellsOf } from '../cells/plan-cells.js';
import { assemble, firstAsk } from '../request/assemble-body.js';
import type { Cell } from '../ticket.js';

/** The bodies of one cell, before their templates are filled. */
export interface CellBodies {
  readonly cell: Cell;
  /** The model lacks a setting that the probe varies: nothing is asked, and the setting might add to the bodies. */
  readonly incomplete: boolean;
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
    const { complete, settings } = withAllSettings(probe, model);
    const { cells, leftOut } = cellsOf(probe, { ...model, settings });
    for (const cell of [...cells, ...leftOut]) {
      yield { cell, incomplete: !complete, modelPath: path, bodies: bodiesOf(cell) };
    }
  }
}

/** With a label that changes nothing for each setting that the probe varies and the model does not define. */
function withAllSettings({ axes }: Probe, { settings }: ModelConfig): { complete: boolean; settings: Settings } {
  const lacking = axes.flatMap((axis) =>
    axis.kind === 'settings' && labelsOf({ settings }, axis.settings).length === 0 ? [axis.settings] : [],
  );
  const added = Object.fromEntries(lacking.map((name) => [name, { default: null }]));
  return { complete: lacking.length === 0, settings: { ...settings, ...added } };
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
