import type { Standing, Verdict } from '../cell/verdict.js';
import type { Reason } from '../judge/reasons.js';
import type { OutcomeClass } from '../judge/outcome-classes.js';

/** What accepting a run reads of its report. */
export interface AcceptedRun {
  readonly run: { readonly complete: boolean; readonly profile: string };
  readonly cells: readonly AcceptedCell[];
}

export interface AcceptedCell {
  readonly key: string;
  /** `TARGET/MODEL` */
  readonly model: string;
  readonly verdict: Verdict;
  readonly class: OutcomeClass | null;
  readonly reason: Reason | null;
  readonly status: number | null;
  readonly trials: { readonly total: number; readonly passed: number };
  readonly threshold: { readonly value: number | null } | null;
  readonly standing: Standing;
  /** It differs from the baseline, but its fresh sample did not settle whether that is real. */
  readonly unsettled: boolean;
  /** What is known of it after this run from all its trials, earlier ones included; absent: from this run's trials alone. */
  readonly known?: { readonly passed: number; readonly total: number };
}
