import type { OutcomeClass, Reason } from '../judge/outcome.js';

/** An entry of `expect`: a covered cell that is not expected to pass. */
export interface BaselineEntry {
  readonly key: string;
  readonly verdict: 'fail' | 'flaky';
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

export interface Baseline {
  readonly file: string;
  /** Patterns over cell keys: what has been looked at and accepted. */
  readonly covers: readonly string[];
  readonly expect: readonly BaselineEntry[];
}

/** What the baseline says of one cell. */
export type Expected =
  | { readonly kind: 'new' }
  | { readonly kind: 'pass'; readonly threshold: number | null }
  | { readonly kind: 'entry'; readonly entry: BaselineEntry };
