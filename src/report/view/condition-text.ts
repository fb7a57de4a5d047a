import type { ReportCapability } from '../../matrix/report-format.js';

/** "max_tokens >= 1280 (asked up to 16384)": a condition, and where the values end that it speaks of; null: there is none. */
export function conditionShown({
  condition,
  asked_up_to: ends = {},
}: Pick<ReportCapability, 'condition' | 'asked_up_to'>): string | null {
  const axes = Object.entries(ends);
  if (condition === null || axes.length === 0) return condition;
  const shown = axes.map(([axis, value]) => (axes.length === 1 ? `${value}` : `${axis} ${value}`));
  return `${condition} (asked up to ${shown.join(' and ')})`;
}
