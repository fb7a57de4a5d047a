import type { Report, ReportCapability } from '../report-format.js';

/** A model, as a report knows it. */
export interface SwapSide {
  readonly report: Report;
  /** `TARGET/MODEL` */
  readonly model: string;
}

export const cellsIn = ({ report, model }: SwapSide): Report['cells'] =>
  report.cells.filter((cell) => cell.model === model);

/** The capabilities of the model, by id. */
export function capabilitiesOf({ report, model }: SwapSide): ReadonlyMap<string, ReportCapability> {
  return new Map(report.capabilities.filter((one) => one.model === model).map((one) => [one.capability, one]));
}
