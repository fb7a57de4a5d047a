import type { RunSummary } from './run-summary.js';

/** Earlier runs, the oldest first. */
export interface History {
  /** The folder that holds the run folders. */
  readonly from: string;
  readonly runs: readonly PastRun[];
  /** Names of folders that look like runs but could not be read. */
  readonly unreadable: readonly string[];
}

export interface PastRun extends RunSummary {
  /** The name of its folder. */
  readonly folder: string;
  /** Its page, seen from the folder that holds the run folders; null: it has none any more. */
  readonly page: string | null;
}
