import type { JudgedVerdict } from '../cell/verdict.js';
import type { OutcomeClass, Reason } from '../judge/outcome.js';
import type { WireGroup } from '../judge/wire/wire-form.js';
import type { Count } from '../stats/count.js';

/** An entry of `expect`: a covered cell that is not expected to pass. */
export interface BaselineEntry {
  readonly key: string;
  readonly verdict: Exclude<JudgedVerdict, 'pass'>;
  readonly class: OutcomeClass | null;
  readonly reason: Reason | null;
  readonly status: number | null;
  readonly passed: number | null;
  readonly total: number | null;
  /** Where it was seen to fail in more than one way: how often in each; absent: in one. */
  readonly ways?: WayCounts;
  /** ISO date. */
  readonly date: string;
  readonly note: string | null;
  readonly link: string | null;
  readonly provisional: boolean;
  /** `find`: the stored threshold. */
  readonly threshold: number | null;
  /** Of this threshold, as of a stored one. */
  readonly fails_at?: FailsAt;
}

/**
 * The largest value below a threshold at which nothing passed, where the value just below passes sometimes; `none`: no
 * value failed outright. Absent: the value just below fails.
 */
export type FailsAt = number | 'none';

/** The smallest value at which a `find` probe passed. Runs recheck it there and just below, without a new search. */
export interface StoredThreshold {
  readonly key: string;
  readonly value: number;
  readonly fails_at?: FailsAt;
  /** ISO date. */
  readonly date: string;
  readonly note: string | null;
  readonly link: string | null;
}

/** Cells that have been looked at and accepted. */
export interface Cover {
  /** A pattern over cell keys. */
  readonly cells: string;
  /** From how many trials the least known of these cells is known; null: not stated, as in older files. */
  readonly trials: number | null;
}

/** The quirks of a model that somebody has accepted. */
export interface AcceptedWire {
  /** Quirks that are the rule. */
  readonly quirks: readonly string[];
  /** The answers that have one of them, where not all have. */
  readonly only: Readonly<Record<string, WireGroup>>;
  /** Quirks that come and go: neither their presence nor their absence is a change. */
  readonly sometimes: readonly string[];
}

/** An entry of `wire`. */
export interface WireEntry extends AcceptedWire {
  /** `TARGET/MODEL` */
  readonly model: string;
}

export interface Baseline {
  readonly file: string;
  readonly covers: readonly Cover[];
  readonly expect: readonly BaselineEntry[];
  /** Accepted quirks; absent in older files. */
  readonly wire?: readonly WireEntry[];
  /** Of covered `find` cells that pass; absent: none. */
  readonly thresholds?: readonly StoredThreshold[];
  /** The file's text, so that accepting a run keeps its comments; absent: the file is written from scratch. */
  readonly text?: string;
}

/** The expectation of the baseline for one cell. */
export type Expected =
  | { readonly kind: 'new' }
  | ({ readonly kind: 'pass'; readonly threshold: number | null; readonly failsAt?: FailsAt } & Known)
  | ({ readonly kind: 'entry'; readonly entry: BaselineEntry } & Known);

export interface Known {
  /** From how many trials the cell is known; absent: not stated, so that it counts as well known. */
  readonly trials?: number;
  /** Known trials by now, and the open doubt; absent: as in the baseline. */
  readonly state?: CellState;
}

/** How many trials failed in each way, by the name that `wayOf` gives it. */
export type WayCounts = Readonly<Record<string, number>>;

/** Passes among trials, and how the others failed. */
export interface TrialCounts extends Count {
  /** Absent: nobody counted, or none failed. */
  readonly ways?: WayCounts;
}

/** The trials that one run gave to a doubt. */
export interface DoubtRun extends TrialCounts {
  /** Id of the run; absent while it lasts. */
  readonly run?: string;
}

/** All that is kept of a cell from run to run. */
export interface CellState {
  /** The accepted trials, and those of later runs that were in order. */
  readonly known: TrialCounts;
  /**
   * Of the open doubt, run by run; empty: nothing is in doubt. Of a cell that passes at times: its last runs, which are
   * always weighed.
   */
  readonly doubt: readonly DoubtRun[];
  /** The doubt was an alarm, and is not over yet. */
  readonly alarmed?: true;
  /** Accepted as passing from few trials, and proved not to hold: weighed as a cell that passes at times. */
  readonly unreliable?: true;
}

/** The state of a cell, as one run leaves it to the next. */
export interface CellMemory extends CellState {
  /** The line of the baseline that it belongs to: once the cell is accepted anew, it counts no more. */
  readonly since: string;
}
