import type { ReportCell } from '../../../matrix/report-format.js';
import { thresholdText } from '../phrases.js';

/** What a search found along its axis. */
export interface BudgetCurve {
  readonly key: string;
  readonly capability: string;
  /** The settings under which it was searched: "thinking=disabled, stream=on"; empty without any. */
  readonly settings: string;
  readonly text: string;
  readonly threshold: number | null;
  readonly points: readonly {
    readonly x: number;
    readonly passed: number;
    readonly total: number;
    readonly rate: number;
  }[];
}

export function budgetCurve({ key, capability, threshold, expected, point }: ReportCell): BudgetCurve | null {
  if (threshold === null || threshold.curve.length === 0) return null;
  return {
    ...{ key, capability },
    settings: Object.entries(point)
      .map(([axis, value]) => `${axis}=${value}`)
      .join(', '),
    text: thresholdText(threshold, expected?.threshold ?? null),
    threshold: threshold.value,
    points: threshold.curve.map(([x, passed, total]) => ({ x, passed, total, rate: total === 0 ? 0 : passed / total })),
  };
}
