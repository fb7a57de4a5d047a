import { cellsByKey } from '../../../matrix/cells-by-key.js';
import { groupBy } from '../../../json/group-by.js';
import type {
  Report,
  ReportCapability,
  ReportCell,
  ReportLatency,
  ReportModel,
  ReportQuirk,
} from '../../../matrix/report-format.js';
import { shortNames } from '../matrix-view.js';
import type { Choice } from './choice.js';
import type { SnippetRequest } from './snippet.js';
import { snippetRequest } from './snippet-request.js';

/** A report, in the order in which choices are looked up. */
export interface Known {
  readonly models: ReadonlyMap<string, ReportModel>;
  readonly names: ReadonlyMap<string, string>;
  readonly cells: ReadonlyMap<string, ReportCell>;
  /** These by model. */
  readonly capabilities: ReadonlyMap<string, readonly ReportCapability[]>;
  readonly latency: ReadonlyMap<string, readonly ReportLatency[]>;
  readonly wire: ReadonlyMap<string, readonly ReportQuirk[]>;
}

export function indexOf({ models, cells, capabilities, latency = [], wire = [] }: Report): Known {
  return {
    models: new Map(models.map((model) => [model.id, model])),
    names: shortNames(models),
    cells: cellsByKey(cells),
    capabilities: groupBy(capabilities, ({ model }) => model),
    latency: groupBy(latency, ({ model }) => model),
    wire: groupBy(wire, ({ model }) => model),
  };
}

export function cellsOf({ cells }: Pick<ReportCapability, 'cells'>, known: Known): ReportCell[] {
  return cells.flatMap((key) => known.cells.get(key) ?? []);
}

export function placed(model: string, { names }: Known): Pick<Choice, 'model' | 'name'> {
  return { model, name: names.get(model) ?? model };
}

export function requestTo(id: string, asked: Parameters<typeof snippetRequest>[1], { models }: Known): SnippetRequest {
  return snippetRequest(models.get(id) ?? { model: id }, asked);
}

/**
 * Whether nothing that the cell asks contradicts the settings. A larger cap is as good as the one that is needed, but a
 * cell that names none was asked with one of its own, which may be lower.
 */
export function isAskedWith(settings: Readonly<Record<string, string>>, { point }: Pick<ReportCell, 'point'>): boolean {
  return Object.entries(settings).every(([name, value]) => {
    const label = point[name];
    if (name === 'max_tokens') return label !== undefined && Number(label) >= Number(value);
    return label === undefined || label === value;
  });
}

/** The kind of request whose answers are timed. */
export function kindOf(form: string): ReportLatency['kind'] {
  if (form.includes('json_schema')) return 'json_schema';
  if (form.includes('json_object')) return 'json_object';
  return form.includes('tool') ? 'tools' : 'text';
}

/** Where a client may stream or not, of the answers that are not streamed. */
export function latencyFor(
  model: string,
  kind: string,
  stream: string | undefined,
  { latency }: Known,
): ReportLatency | null {
  const ofKind = (latency.get(model) ?? []).filter((one) => one.kind === kind);
  if (stream !== undefined) return ofKind.find((one) => one.stream === (stream === 'true')) ?? null;
  return ofKind.find((one) => one.stream !== true) ?? ofKind[0] ?? null;
}
