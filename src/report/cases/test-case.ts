import type { ReportCell } from '../../matrix/report-format.js';

/**
 * What build servers show of one thing that was checked. `failed` makes the exit code 1, `error` may make it 3, and the
 * others make no build red.
 */
export type CaseState = 'passed' | 'failed' | 'skipped' | 'error';

/** A cell, or what is wrong with a model or the run as a whole, as a test case. Texts are redacted and capped. */
export interface TestCase {
  /** `TARGET/MODEL`, or what else is looked at: `TARGET/MODEL (wire)`. */
  readonly group: string;
  /** Unique in its group: `PROBE[axis=label,...]`. */
  readonly name: string;
  /** Where build servers file it: `SUITE.TARGET/MODEL`. */
  readonly place: string;
  /** null: it is not about a cell. */
  readonly cell: ReportCell | null;
  readonly state: CaseState;
  /** One word for why it is not simply passed: an outcome class, `known_failure`, `improvement`, ...; null if it is. */
  readonly type: string | null;
  /** Why, in one sentence; null where there is nothing to say. */
  readonly message: string | null;
  /** What explains it, line by line. */
  readonly lines: readonly string[];
}

export function countStates(cases: readonly TestCase[]): Readonly<Record<CaseState, number>> {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0 };
  for (const { state } of cases) counts[state] += 1;
  return counts;
}
