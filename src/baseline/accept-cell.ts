import type { AcceptedCell } from './accepted-run.js';
import type { Baseline, BaselineEntry, StoredThreshold } from './entries.js';
import { expectedOf } from './expected.js';
import { compilePattern } from '../cell/cell-pattern.js';
import { isJudged, type JudgedVerdict } from '../cell/verdict.js';

/** What a baseline becomes when a run is accepted, by key; `keep` leaves the old lines as they are. */
export type Acceptance =
  | { readonly kind: 'keep' }
  | { readonly kind: 'pass'; readonly threshold: StoredThreshold | null }
  | { readonly kind: 'entry'; readonly entry: BaselineEntry };

/** Entries from fewer trials say little about the rate. */
const trialsThatCount = 10;

/** What accepting the cell means for its line; `today` is an ISO date. Cells that were not judged keep theirs. */
export function acceptCell(cell: AcceptedCell, baseline: Baseline | null, today: string): Acceptance {
  if (!isJudged(cell) || stillHolds(cell, baseline)) return { kind: 'keep' };
  return renewed(cell, cell.verdict, baseline, today);
}

/**
 * A line holds as long as the run raised nothing against it: a flaky cell may read pass one night. The run compared
 * with the baseline of its own day, so a failure that today's does not know is taken over all the same.
 */
function stillHolds(cell: AcceptedCell, baseline: Baseline | null): boolean {
  const expected = expectedOf(baseline, cell.key);
  const calm = cell.standing === 'as_expected' || cell.unsettled;
  switch (expected.kind) {
    case 'new':
      return false;
    case 'pass': {
      if (cell.verdict !== 'pass') return cell.unsettled || (calm && cell.verdict === 'flaky');
      const found = cell.threshold?.value ?? null;
      return found === null || found === expected.threshold || (calm && expected.threshold !== null);
    }
    case 'entry': {
      const { entry } = expected;
      if (calm || entry.verdict === 'flaky' || cell.verdict !== 'fail') return calm;
      return entry.class === cell.class && entry.reason === cell.reason && entry.status === cell.status;
    }
  }
}

function renewed(cell: AcceptedCell, verdict: JudgedVerdict, baseline: Baseline | null, today: string): Acceptance {
  const { key, trials } = cell;
  const old = baseline?.expect.find((entry) => entry.key === key);
  const oldThreshold = baseline?.thresholds?.find((stored) => stored.key === key);
  const note = old?.note ?? oldThreshold?.note ?? null;
  const link = old?.link ?? oldThreshold?.link ?? null;
  const found = cell.threshold?.value ?? null;
  if (verdict === 'pass') {
    return { kind: 'pass', threshold: found === null ? null : { key, value: found, date: today, note, link } };
  }
  const rate = verdict === 'flaky' ? { passed: trials.passed, total: trials.total } : { passed: null, total: null };
  const entry: BaselineEntry = {
    key,
    verdict,
    class: cell.class,
    reason: cell.reason,
    // Of a flaky cell the rate is compared, and 200 goes without saying.
    status: verdict === 'flaky' && cell.class !== 'http_error' ? null : cell.status,
    ...rate,
    date: today,
    note,
    link,
    provisional: trials.total < trialsThatCount,
    threshold: found,
  };
  return { kind: 'entry', entry };
}

/** Which cells a pattern accepts; null accepts all. */
export function acceptedBy(only: string | null): (cell: AcceptedCell) => boolean {
  if (only === null) return () => true;
  const matches = compilePattern(only);
  return ({ key }) => matches(key);
}
