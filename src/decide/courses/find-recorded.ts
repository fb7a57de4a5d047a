import type { Ticket } from '../../plan/ticket.js';
import type { Finding, RecordedTrial } from '../course.js';
import { compareWithKnown, type RunSoFar } from './compare-with-known.js';
import { findThreshold, storedThreshold } from './find.js';
import type { Asking } from './sample.js';
import { foundAt, openSearch, searchAll } from './threshold-search.js';

/**
 * The threshold that recorded trials show, where a run is judged again by a baseline that would have asked at other values.
 * A difference from the threshold of the baseline stays unsettled: nobody asked at its value.
 */
export function* thresholdFrom(ticket: Ticket, run: RunSoFar, recorded: readonly RecordedTrial[]): Asking<Finding> {
  const state = openSearch(ticket, recorded);
  if (state === null) return yield* findThreshold(ticket, run);
  const value = yield* searchAll(state);
  const stored = storedThreshold(ticket, state.spec);
  if (stored === null || value === null) return yield* compareWithKnown(ticket, foundAt(state, value), run);
  const here = yield* compareWithKnown(ticket, foundAt(state, stored), run);
  const found = { ...foundAt(state, value).conclude(), law: here.law, surprise: here.surprise };
  const isAlike = Math.max(value, stored) <= Math.min(value, stored) * (1 + state.spec.tolerance);
  if (isAlike || here.surprise === 'confirmed' || here.law === null) return found;
  const suspicion = value > stored ? 'regression' : 'improvement';
  return { ...found, needed: Math.max(1, found.needed), surprise: 'unsettled', law: { ...here.law, suspicion } };
}
