import { groupBy } from '../matrix/group-by.js';
import type { Report, ReportCapability, ReportModel } from '../matrix/report.js';
import { inFamilyOrder } from './capability-order.js';

/** Capabilities by models, as every renderer shows them. */
export interface MatrixView {
  readonly models: readonly ReportModel[];
  readonly rows: readonly MatrixRow[];
}

export interface MatrixRow {
  readonly capability: string;
  /** One a model, in the order of the models; undefined: not planned for it. */
  readonly marks: readonly (ReportCapability | undefined)[];
}

export function matrixView({ models, capabilities }: Report): MatrixView {
  const rows = [...groupBy(capabilities, ({ capability }) => capability)].map(([capability, group]) => ({
    capability,
    marks: models.map((model) => group.find((mark) => mark.model === model.id)),
  }));
  return { models, rows: inFamilyOrder(rows, ({ capability }) => capability) };
}

/** The shortest name that still tells the models apart: without the target where all share one. */
export function shortNames(models: readonly ReportModel[]): ReadonlyMap<string, string> {
  const oneTarget = new Set(models.map(({ target }) => target)).size <= 1;
  return new Map(models.map(({ id, model }) => [id, oneTarget ? model : id]));
}
