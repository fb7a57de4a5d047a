import type { JudgedVerdict, Standing, Verdict } from '../cell/verdict.js';
import type { BaselineEntry } from './entries.js';
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
  /** What its baseline expected of it at the time; null: nothing, absent: what today's baseline expects. */
  readonly expected?: ExpectedThen | null;
  /** What is known of it after this run from all its trials, earlier ones included; absent: from this run's trials alone. */
  readonly known?: { readonly passed: number; readonly total: number };
}

/** What a baseline said of a cell when the run was compared with it. */
export interface ExpectedThen extends Pick<BaselineEntry, 'class' | 'reason' | 'status' | 'passed' | 'total'> {
  readonly verdict: JudgedVerdict;
  readonly threshold: number | null;
  /** From how many trials the cell was known; absent: not stated. */
  readonly trials?: number;
}
