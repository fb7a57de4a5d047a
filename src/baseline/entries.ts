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
  /** Those that are the rule. */
  readonly quirks: readonly string[];
  /** The answers that have one of them, where not all have. */
  readonly only: Readonly<Record<string, WireGroup>>;
  /** Those that come and go: neither their presence nor their absence is a change. */
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

/** What the baseline expects of one cell. */
export type Expected =
  | { readonly kind: 'new' }
  | ({ readonly kind: 'pass'; readonly threshold: number | null; readonly failsAt?: FailsAt } & Known)
  | ({ readonly kind: 'entry'; readonly entry: BaselineEntry } & Known);

export interface Known {
  /** From how many trials the cell is known; absent: not stated, so that it counts as well known. */
  readonly trials?: number;
  /** What is known of it by now, and its open doubt; absent: what the baseline says. */
  readonly state?: CellState;
}

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
