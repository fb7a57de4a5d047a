import { hasTemplate } from '../../body/fault.js';
import type { Config, ModelConfig, Settings } from '../../config/config.js';
import type { ConfigOrigin } from '../../config/load-config.js';
import type { Path } from '../../files/problems/problem.js';
import { isObject, type Json, type JsonObject, parsedJson, writtenJson, at } from '../../json/json.js';
import type { ProbeOrigin } from '../../suite/checks/probe-draft.js';
import type { Probe } from '../../suite/probe.js';
import { planProbeCells, settingLabels } from '../cells/plan-cells.js';
import { type BodyLayer, bodyLayers, firstAsk } from '../request/body-layers.js';
import { assemble, variablesOf } from '../request/request-body.js';
import { renderTemplates, TemplateError } from '../request/template.js';
import type { Cell } from '../plan.js';

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
interface PlacedModel {
  readonly model: ModelConfig;
  readonly path: Path;
}

/** Models that send the same bodies count once. */
export function differentModels({ targets }: Config): readonly PlacedModel[] {
  const models = new Map<string, PlacedModel>();
  for (const { name, models: listed } of targets) {
    for (const [index, model] of listed.entries()) {
      const key = writtenJson([model.request, model.settings, model.vars]);
      if (!models.has(key)) models.set(key, { model, path: ['targets', name, 'models', index] });
    }
  }
  return [...models.values()];
}

/** Everything that a probe can send to these models. */
export function* cellBodies(probe: Probe, models: readonly PlacedModel[]): Generator<CellBodies> {
  const steps = probe.enforce === null ? probe.steps.filter(({ kind }) => kind === 'ask') : [firstAsk(probe)];
  const kind = probe.enforce === null ? 'trial' : 'valid';
  for (const { model, path } of models) {
    const { complete, settings } = withAllSettings(probe, model);
    const { cells, leftOut } = planProbeCells(probe, { ...model, settings });
    for (const cell of [...cells, ...leftOut]) {
      const bodies = steps.map((one) => {
        const step = one?.id ?? 'request';
        return { step, body: assemble(cell, { kind, patch: {} }, step) };
      });
      yield { cell, incomplete: !complete, modelPath: path, bodies };
    }
  }
}

/** With a label that changes nothing for each setting that the probe varies and the model does not define. */
function withAllSettings({ axes }: Probe, { settings }: ModelConfig): { complete: boolean; settings: Settings } {
  const lacking = axes.flatMap((axis) =>
    axis.kind === 'settings' && settingLabels({ settings }, axis.settings).length === 0 ? [axis.settings] : [],
  );
  const added = Object.fromEntries(lacking.map((name) => [name, { default: null }]));
  return { complete: lacking.length === 0, settings: { ...settings, ...added } };
}

/** Rows of samples that are looked at: a closed list that fits these texts is not worth reading thousands for. */
const mostRows = 200;

/**
 * The body as the trials of a cell send it, but for the texts of its messages, as far as templates decide what it asks:
 * as it is, and once for each sample row. A template that only a running flow can fill stays as it is.
 */
export function* filledBodies(body: JsonObject, cell: Cell): Generator<JsonObject> {
  yield body;
  const { messages, tools, tool_choice, response_format } = body;
  const roles = Array.isArray(messages) ? (messages as readonly Json[]).map(withoutContent) : messages;
  const deciding = parsedJson(writtenJson({ messages: roles, tools, tool_choice, response_format })) as JsonObject;
  if (!hasTemplate(writtenJson(deciding))) return;
  const rows = Math.min(mostRows, Math.max(1, cell.probe.samples.length));
  try {
    for (let sample = 0; sample < rows; sample += 1) {
      yield { ...body, ...(renderTemplates(deciding, variablesOf({ cell }, { sample })) as JsonObject) };
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
  }
}

function withoutContent(message: Json): Json {
  if (!isObject(message)) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => name !== 'content'));
}

interface BodyOrigins {
  readonly origin: ProbeOrigin;
  readonly config: ConfigOrigin;
  readonly modelPath: Path;
}

interface Written {
  readonly file: 'config' | 'suite';
  readonly path: Path;
}

/** Something that was merged into a body: a value at a place of the body, and where it is written. */
interface Layer {
  readonly value: Json;
  readonly at: readonly string[];
  readonly written: (below: Path) => Written;
}

/**
 * Where the author wrote what a body has at a place: in the last layer that has it, or has the most of the way to it.
 */
export function whereWritten(cell: Cell, step: string, origins: BodyOrigins, path: Path): Written {
  const layers = [...layersOf(cell, step, origins)];
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length).map(String);
    const layer = layers.find(
      ({ value, at: base }) =>
        base.every((one, index) => steps[index] === one) && at(value, steps.slice(base.length)) !== undefined,
    );
    if (layer !== undefined) return layer.written(path.slice(layer.at.length, length));
  }
  return layers.at(-1)?.written([]) ?? { file: 'suite', path: [] };
}

/** The last one first. */
function* layersOf(cell: Cell, step: string, origins: BodyOrigins): Generator<Layer> {
  for (const layer of bodyLayers(cell, step).toReversed()) {
    const written = writtenAt(layer, step, origins);
    if (layer.kind === 'request') {
      yield { value: layer.body, at: [], written };
    } else if (layer.kind !== 'value') {
      yield { value: layer.patch, at: [], written };
    } else if (layer.value !== undefined) {
      yield { value: layer.value, at: layer.at, written };
    }
  }
}

/** Where the author wrote what a layer has below a path of its own. */
function writtenAt(layer: BodyLayer, step: string, { origin, config, modelPath }: BodyOrigins): Layer['written'] {
  const inFile = (file: Written['file'], path: Path) => (below: Path) => ({ file, path: [...path, ...below] });
  switch (layer.kind) {
    case 'request': {
      const request = origin.requests.find((one) => one.step === step);
      return (below) => ({ file: 'suite', path: request?.pathOf(below) ?? origin.path });
    }
    case 'model':
      return inFile('config', [...modelPath, 'request']);
    case 'setting': {
      const place = ['settings', layer.settings, layer.label];
      const ofTarget = [...modelPath.slice(0, 2), ...place];
      return inFile('config', config.has([...modelPath, ...place]) ? [...modelPath, ...place] : ofTarget);
    }
    case 'value':
      return inFile('suite', origin.pointPath(layer.axis, layer.label));
  }
}
