import type { Ticket } from '../../plan/ticket.js';
import type { FindSpec } from '../../suite/probe.js';
import type { Finding, RecordedTrial } from '../course.js';
import { confirmDoubt } from './confirm.js';
import { findThreshold, storedThreshold } from './find.js';
import type { Asking } from './sample.js';
import { foundAt, openSearch, searchAll } from './threshold-search.js';

/**
 * The threshold that recorded trials show, where a run is judged again by a baseline that would have asked at other values.
 * A difference from the threshold of the baseline stays unsettled: nobody asked for a fresh sample.
 */
export function* thresholdFrom(
  ticket: Ticket,
  plannedCells: number,
  recorded: readonly RecordedTrial[],
): Asking<Finding> {
  const state = openSearch(ticket, recorded);
  if (state === null) return yield* findThreshold(ticket, plannedCells);
  const value = yield* searchAll(state);
  const found = foundAt(state, value);
  const stored = storedThreshold(ticket, state.spec);
  if (stored === null || value === null) return yield* confirmDoubt(ticket, found, plannedCells);
  const finding = found.conclude();
  if (isAlike(value, stored, state.spec)) return finding;
  return {
    ...finding,
    needed: Math.max(1, finding.needed),
    surprise: 'unsettled',
    fresh: { suspicion: value > stored ? 'regression' : 'improvement', passed: 0, total: 0, pValue: null },
  };
}

/** Two searches of the same axis may end as far apart as their tolerance. */
const isAlike = (one: number, other: number, { tolerance }: FindSpec): boolean =>
  Math.max(one, other) <= Math.min(one, other) * (1 + tolerance);
