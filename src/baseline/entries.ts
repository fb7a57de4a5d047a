import type { JudgedVerdict } from '../cell/verdict.js';
import type { Reason } from '../judge/reasons.js';
import type { OutcomeClass } from '../judge/outcome-classes.js';

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
}

/** The smallest value at which a `find` probe passed. Runs recheck it there and just below, without a new search. */
export interface StoredThreshold {
  readonly key: string;
  readonly value: number;
  /** ISO date. */
  readonly date: string;
  readonly note: string | null;
  readonly link: string | null;
}

export interface Baseline {
  readonly file: string;
  /** Patterns over cell keys: the cells that have been accepted. */
  readonly covers: readonly string[];
  readonly expect: readonly BaselineEntry[];
  /** Of covered `find` cells that pass; absent: none. */
  readonly thresholds?: readonly StoredThreshold[];
  /** The file's text, so that accepting a run keeps its comments; absent: the file is written from scratch. */
  readonly text?: string;
}

/** What the baseline expects of one cell. */
export type Expected =
  | { readonly kind: 'new' }
  | { readonly kind: 'pass'; readonly threshold: number | null }
  | { readonly kind: 'entry'; readonly entry: BaselineEntry };
