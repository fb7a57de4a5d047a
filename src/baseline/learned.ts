/** Trials of one cell, over several runs. */
export interface Tally {
  readonly passed: number;
  readonly total: number;
}

/** What runs have learned of a cell since the baseline accepted it, the trials behind the baseline included. */
export interface Learned extends Tally {
  /** Which line of the baseline these trials belong to. Once the cell is accepted anew, they are not counted any more. */
  readonly since: string;
}
