import type { Condition } from './condition.js';
import type { ReportCell } from '../report-format.js';

/**
 * What searches for thresholds say of where a capability passes: from which value on, and, where larger values failed
 * again, up to which. Of several searches the narrowest; null when every value that was asked passed.
 * `findAxes`: the searched axis of each cell that searches, by key.
 */
export function searchedCondition(
  cells: readonly ReportCell[],
  findAxes: ReadonlyMap<string, string>,
): (Condition & { readonly axis: string }) | null {
  const found = cells.flatMap(({ key, verdict, threshold }) => {
    const axis = findAxes.get(key);
    if (verdict !== 'pass' || axis === undefined || threshold === null || threshold.value === null) return [];
    const from = threshold.last_failing === null ? null : threshold.value;
    const to = lastBeforeFailing(threshold);
    return from === null && to === null ? [] : [{ axis, value: threshold.value, from, to }];
  });
  const axis = found[0]?.axis;
  if (axis === undefined) return null;
  const same = found.filter((one) => one.axis === axis);
  const lower = same.flatMap(({ from }) => from ?? []);
  const upper = same.flatMap(({ to }) => to ?? []);
  const parts = [
    ...(lower.length > 0 ? [`${axis} >= ${Math.max(...lower)}`] : []),
    ...(upper.length > 0 ? [`${axis} <= ${Math.min(...upper)}`] : []),
  ];
  const settings = { [axis]: String(Math.max(...same.map(({ value }) => value))) };
  return { axis, text: parts.join(' and '), settings, namesProbe: false };
}

/** The largest value known to pass below one that fails above the threshold; null: none does. */
function lastBeforeFailing({ value, curve }: NonNullable<ReportCell['threshold']>): number | null {
  if (value === null) return null;
  const above = curve.filter(([x]) => x > value);
  const failing = above.find(([, passed]) => passed === 0);
  if (failing === undefined) return null;
  return above.findLast(([x, passed, total]) => x < failing[0] && passed === total)?.[0] ?? value;
}
