import type { AcceptedCell } from './accepted-run.js';
import type { Baseline, BaselineEntry, StoredThreshold } from './entries.js';
import { expectedOf } from './expected.js';
import { compilePattern } from '../cell/cell-pattern.js';
import { isJudged, type JudgedVerdict } from '../cell/verdict.js';
import { wellKnown } from './knowledge.js';

/** What happens to a cell's line when a run is accepted; `keep` leaves it as it is. */
export type Acceptance =
  | { readonly kind: 'keep' }
  | { readonly kind: 'pass'; readonly threshold: StoredThreshold | null }
  | { readonly kind: 'entry'; readonly entry: BaselineEntry };

/** Cells that were not judged keep their lines. `today` is an ISO date. */
export function acceptCell(cell: AcceptedCell, baseline: Baseline | null, today: string): Acceptance {
  if (!isJudged(cell) || stillApplies(cell, baseline)) return { kind: 'keep' };
  return renewed(cell, cell.verdict, baseline, today);
}

/**
 * A line still applies unless the run contradicts it: a flaky cell, for instance, may pass one night. The run was
 * compared with the baseline at the time, so a failure that today's baseline does not list is still accepted.
 */
function stillApplies(cell: AcceptedCell, baseline: Baseline | null): boolean {
  const expected = expectedOf(baseline, cell.key);
  const raisedNoAlarm = cell.standing === 'as_expected' || cell.unsettled;
  switch (expected.kind) {
    case 'new':
      return false;
    case 'pass': {
      if (cell.verdict !== 'pass') return cell.unsettled || (raisedNoAlarm && cell.verdict === 'flaky');
      const found = cell.threshold?.value ?? null;
      return found === null || found === expected.threshold || (raisedNoAlarm && expected.threshold !== null);
    }
    case 'entry': {
      const { entry } = expected;
      if (raisedNoAlarm || entry.verdict === 'flaky' || cell.verdict !== 'fail') return raisedNoAlarm;
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
    // A flaky cell is compared by its rate, and a status of 200 would say nothing.
    status: verdict === 'flaky' && cell.class !== 'http_error' ? null : cell.status,
    ...rate,
    date: today,
    note,
    link,
    provisional: trials.total < wellKnown,
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
