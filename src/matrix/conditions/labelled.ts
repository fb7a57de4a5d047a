import type { ReportCell } from '../report-format.js';

/** One label of each axis, and the probe. */
export type Labels = Readonly<Record<string, string>>;

/** A judged request as explanations see it. */
export interface Labelled {
  readonly labels: Labels;
  /** Whether it can be relied on; null: too little is known of it to ask for an explanation. */
  readonly good: boolean | null;
  /** Where `good` is null: which of the two is likelier. */
  readonly leansGood?: boolean;
  /** Without them, there is no doubt. */
  readonly trials?: { readonly passed: number; readonly total: number };
  /** The service refuses it, which is no matter of luck. */
  readonly refused?: boolean;
  /** Axes at whose value the model is known to pass at times. */
  readonly soft?: readonly string[];
  /** Other probes show that the same kind of request passes only sometimes, and it may have been lucky. */
  readonly wavers?: boolean;
}

/** Stands for the probe among the axes; no axis can have this name. */
export const probeAxis = 'SUITE/PROBE';

export function labelsOf({ point, suite, probe }: Pick<ReportCell, 'point' | 'suite' | 'probe'>): Labels {
  return { ...point, [probeAxis]: `${suite}/${probe}` };
}

/** Whether a label is a number, so that a bound can stand between it and others. */
export function isNumeric(label: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(label);
}
