import { listedNames } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Cell, LastFailed, LeftOpen } from '../ticket.js';

export interface AskedAgain {
  /** Whether the earlier run left the cell open; without one, of every cell. */
  readonly isLeftOpen: (cell: Cell) => boolean;
  /** The same of cells that are asked only in doubt. */
  readonly isInReserve: (cell: Cell) => boolean;
  /** undefined: everything is asked. */
  readonly lastFailed?: Omit<LastFailed, 'of'>;
  /** An error if the plan has none of the cells any more, a warning if it lacks some. */
  readonly problems: readonly Problem[];
}

/**
 * Which cells are asked again.
 * @param all every cell of config and suites, also those that are asked only in doubt
 * @param isSelected by the other filters
 */
export function askedAgain(
  leftOpen: LeftOpen | undefined,
  all: readonly Cell[],
  isSelected: (cell: Cell) => boolean,
): AskedAgain {
  if (leftOpen === undefined) return { isLeftOpen: () => true, isInReserve: () => true, problems: [] };
  const { cells } = leftOpen;
  const open = new Set(cells);
  const found = all.filter(({ key }) => open.has(key));
  const known = new Set(found.map(({ key }) => key));
  const lost = cells.filter((key) => !known.has(key));
  return {
    isLeftOpen: ({ key }) => open.has(key),
    isInReserve: ({ key }) => leftOpen.inDoubt.includes(key),
    lastFailed: { ...leftOpen, leftOut: found.filter((cell) => !isSelected(cell)).map(({ key }) => key) },
    problems: lost.length === 0 ? [] : [lostCells(lost, cells.length)],
  };
}

function lostCells(lost: readonly string[], all: number): Problem {
  const none = lost.length === all;
  return {
    severity: none ? 'error' : 'warning',
    message: none
      ? 'nothing of what the earlier run left open is in the plan: its config or suites were others, or have changed since'
      : `${lost.length} of ${all} cells that the earlier run left open ${lost.length === 1 ? 'is' : 'are'} not in the plan any more`,
    hint: listedNames('these cells', lost, 'chatspec report RUN --json'),
    place: null,
  };
}
