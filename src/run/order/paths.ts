import type { Ticket } from '../../plan/ticket.js';

/** Requests that have to follow one another. */
export interface Path {
  /** Those of the cell itself. */
  row: number;
  /** The most of cells that come after it. */
  after: number;
}

/** Notes what comes after each cell: whatever needs it, and what needs that. */
export function notePaths(tickets: readonly Ticket[], cells: ReadonlyMap<string, Path>): void {
  const needing = new Map<string, string[]>();
  for (const { cell } of tickets) {
    for (const need of cell.needs) {
      const others = needing.get(need);
      if (others === undefined) needing.set(need, [cell.key]);
      else others.push(cell.key);
    }
  }
  const known = new Set<string>();
  const lengthFrom = (key: string): number => {
    const path = cells.get(key);
    if (path === undefined) return 0;
    // A circle of needs ends here, too.
    if (!known.has(key)) {
      known.add(key);
      path.after = (needing.get(key) ?? []).reduce((longest, other) => Math.max(longest, lengthFrom(other)), 0);
    }
    return path.row + path.after;
  };
  for (const key of cells.keys()) lengthFrom(key);
}
