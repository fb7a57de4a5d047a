import type { Count } from '../stats/count.js';

/** The trials that one run gave to a doubt. */
export interface DoubtRun extends Count {
  /** Of a cell that is known to fail: the failures of another kind than the known one; absent: none. */
  readonly other?: number;
}

/** All that is kept of a cell from run to run. */
export interface CellState {
  /** What was accepted, and the trials of later runs that were in order. */
  readonly known: Count;
  /** Of the open doubt, run by run; empty: nothing is in doubt. */
  readonly doubt: readonly DoubtRun[];
}

/** As one run leaves it to the next. */
export interface CellMemory extends CellState {
  /** Which line of the baseline it belongs to: once the cell is accepted anew, it counts no more. */
  readonly since: string;
}
