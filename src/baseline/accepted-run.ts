import type { OutcomeClass, Reason } from '../judge/outcome.js';

/** What accepting a run reads of its report. */
export interface AcceptedRun {
  readonly run: { readonly complete: boolean; readonly profile: string };
  readonly cells: readonly AcceptedCell[];
}

export interface AcceptedCell {
  readonly key: string;
  /** `TARGET/MODEL` */
  readonly model: string;
  readonly verdict: 'pass' | 'flaky' | 'fail' | 'inconclusive' | 'blocked' | 'not_run';
  readonly class: OutcomeClass | null;
  readonly reason: Reason | null;
  readonly status: number | null;
  readonly trials: { readonly total: number; readonly passed: number };
  readonly threshold: { readonly value: number | null } | null;
  readonly standing: 'as_expected' | 'regression' | 'changed' | 'improvement' | 'new' | null;
  /** A surprise that its fresh sample did not settle. */
  readonly unsettled: boolean;
}

/** Whether the run says anything about the cell. */
export function isJudged({ verdict }: AcceptedCell): boolean {
  return verdict === 'pass' || verdict === 'flaky' || verdict === 'fail';
}
