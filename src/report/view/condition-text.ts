import type { ReportCapability } from '../../matrix/report-format.js';
import { count } from './phrases.js';

/**
 * "max_tokens >= 1280 (asked up to 16384)": a condition, what passed of that of which it says nothing, and where the values
 * end that it speaks of; null: there is none.
 */
export function conditionShown({
  condition,
  asked_up_to: ends = {},
  not_known: open,
}: Pick<ReportCapability, 'condition' | 'asked_up_to' | 'not_known'>): string | null {
  if (condition === null) return null;
  const whole =
    open === undefined ? condition : `${condition}, where ${open.passed} of ${count(open.total, 'trial')} passed`;
  const axes = Object.entries(ends);
  if (axes.length === 0) return whole;
  const shown = axes.map(([axis, value]) => (axes.length === 1 ? `${value}` : `${axis} ${value}`));
  return `${whole} (asked up to ${shown.join(' and ')})`;
}
