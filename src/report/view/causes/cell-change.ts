import type { ExpectedCell, ReportCell } from '../../../matrix/report-format.js';
import { sharedText } from '../../../matrix/shared-failures-text.js';
import type { Deviation } from '../../../matrix/standing/deviations.js';

/** What the baseline expects of a cell and what it does now, as predicates: "passes", "fails with HTTP 500". */
export interface CellChange {
  readonly before: string;
  readonly now: string;
}

/** What the failures of several cells say. */
interface Said {
  /** Besides their class; absent or empty: nothing that all of them say. */
  readonly detail?: string;
  /** Another class, of some of them. */
  readonly also?: ReportCell['class'];
}

/**
 * The change of a cell in words that other cells may share: without rates and thresholds, which differ from cell to cell.
 * Cells with equal words changed alike.
 */
export function cellChange(
  kind: Exclude<Deviation['kind'], 'gone' | 'wire'>,
  cell: ReportCell,
  what: Said = {},
): CellChange {
  const { expected, verdict, shared } = cell;
  if (shared !== undefined) return { before: 'pass', now: `fail with ${sharedText(shared)}` };
  const [from, stored] = [cell.threshold?.value ?? null, expected?.threshold ?? null];
  if (from !== null && stored !== null && from !== stored) {
    const [more, less] = ['passes only from a larger value', 'passes from a smaller value'];
    return from > stored ? { before: less, now: more } : { before: more, now: less };
  }
  const before = expected === null && kind === 'new' ? 'is not in the baseline' : expectedPredicate(expected);
  if (verdict === 'pass') return { before, now: 'passes' };
  if (expected?.verdict === 'flaky') {
    const how = cell.standing === 'improvement' ? 'more' : 'less';
    return { before, now: `passes ${how} often, and fails with ${failureText(cell, what)}` };
  }
  return { before, now: failing(verdict === 'flaky' ? 'flaky' : 'fail', cell, what) };
}

function expectedPredicate(expected: ExpectedCell | null): string {
  return expected === null || expected.verdict === 'pass' ? 'passes' : failing(expected.verdict, expected);
}

type Failure = Pick<ReportCell, 'class' | 'reason' | 'status'>;

function failing(verdict: 'fail' | 'flaky', failure: Failure, said: Said = {}): string {
  const how = failureText(failure, said);
  if (verdict === 'flaky')
    return how === '' ? 'is flaky' : `is flaky${(said.detail ?? '') === '' ? ':' : ', with'} ${how}`;
  return how === '' ? 'fails' : `fails with ${how}`;
}

/** "HTTP 500, server_error", "not_json", "schema_violation: must be integer" */
function failureText({ class: outcome, reason, status }: Failure, { detail = '', also = null }: Said): string {
  if (outcome === null) return '';
  const own = outcome === 'http_error' && status !== null ? `HTTP ${status}` : outcome;
  const what = also === null ? own : `${own} or ${also}`;
  return `${what}${reason === null ? '' : `, ${reason}`}${detail === '' ? '' : `: ${detail}`}`;
}
