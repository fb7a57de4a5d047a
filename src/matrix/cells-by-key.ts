import type { ReportCell } from './report-format.js';

const known = new WeakMap<readonly ReportCell[], ReadonlyMap<string, ReportCell>>();

/** The cells of a report by their keys. Most parts of a page want them, so they are sorted once. */
export function cellsByKey(cells: readonly ReportCell[]): ReadonlyMap<string, ReportCell> {
  const before = known.get(cells);
  if (before !== undefined) return before;
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  known.set(cells, byKey);
  return byKey;
}
