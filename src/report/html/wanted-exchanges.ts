import { cellsByKey } from '../../matrix/cells-by-key.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';

/**
 * Which exchanges come first when there is no room for all, and how many characters of each body are kept: those of
 * deviations, then one of every other cell that does not pass, then one of every cell that passes.
 */
export const tiers = ['deviation', 'more of a deviation', 'not passing', 'passing'] as const;
export type Tier = (typeof tiers)[number];
export const longest: Readonly<Record<Tier, number>> = {
  deviation: 32_000,
  'more of a deviation': 8000,
  'not passing': 8000,
  passing: 4000,
};

/** The exchanges that the page shows for a cell, failed ones first. */
export function shownIds(cell: ReportCell, deviates: boolean): readonly string[] {
  const failing = cell.failures.flatMap(({ exchange }) => exchange ?? []);
  const ids = failing.length > 0 ? failing : cell.exchanges;
  return ids.slice(0, deviates ? 2 : 1);
}

/** An exchange that the page shows: what it is for. */
export interface Wanted {
  readonly cell: ReportCell;
  readonly tier: Tier;
}

/** The exchanges of a report that a page shows, by id. */
export function wantedIn(report: Report): ReadonlyMap<string, Wanted> {
  const deviating = new Set(deviationsOf(report).flatMap((one) => ('cell' in one ? one.cell.key : [])));
  const wanted = new Map<string, Wanted>();
  for (const cell of report.cells) {
    const deviates = deviating.has(cell.key);
    for (const [index, id] of shownIds(cell, deviates).entries()) {
      wanted.set(id, { cell, tier: tierOf(cell, deviates, index) });
    }
  }
  // A quirk of the wire is a deviation, too.
  const byKey = cellsByKey(report.cells);
  for (const quirk of report.wire ?? []) {
    const cell = byKey.get(quirk.cells[0] ?? '');
    if (quirk.standing === 'as_expected' || quirk.exchange === null || cell === undefined) continue;
    wanted.set(quirk.exchange, { cell, tier: 'deviation' });
  }
  return wanted;
}

function tierOf({ verdict }: ReportCell, deviates: boolean, index: number): Tier {
  if (deviates) return index === 0 ? 'deviation' : 'more of a deviation';
  return verdict === 'pass' ? 'passing' : 'not passing';
}
