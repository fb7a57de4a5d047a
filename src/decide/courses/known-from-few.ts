import type { Count } from '../../stats/count.js';
import type { Ticket } from '../../plan/ticket.js';
import { failuresTo, passesToReliable } from '../../stats/sequential-test.js';
import { alarmBoundary, rowAgainst } from '../false-alarms.js';
import { freshLimit, settled, unsettled, type Conclusion, type FreshTrials } from './conclusion.js';
import { repeated, type Answered, type Asking, type SampledCell } from './sample.js';
import { testOf } from './sequential.js';

/** Which trials show what the baseline expects of a cell, and how many of the known ones did. */
export interface ExpectedResult {
  readonly isExpected: (answer: Answered) => boolean;
  readonly known: Count;
  readonly suspicion: 'regression' | 'improvement';
}

/** A cell that passes in part is no news when little is known of it, so the known trials are counted as they are needed. */
export function expectedResult(
  known: Count,
  suspicion: 'regression' | 'improvement',
  { isGood }: SampledCell,
): ExpectedResult {
  const { passed, total } = known;
  if (suspicion === 'regression') return { known, suspicion, isExpected: ({ outcome }) => isGood(outcome) };
  return { known: { passed: total - passed, total }, suspicion, isExpected: ({ outcome }) => !isGood(outcome) };
}

/**
 * Confirms after a row of fresh trials without the expected result that is long even for a cell of which so little is
 * known, and clears once a trial shows it. It asks at least as many trials as would confirm the alarm of a well-known
 * cell, so that something is learned about a cell that gives both results.
 */
export function* rowSinceKnown(
  ticket: Ticket,
  { known, suspicion, isExpected }: ExpectedResult,
  { sample, question }: SampledCell,
  { first, fresh, plannedCells }: FreshTrials,
): Asking<Conclusion> {
  const long = rowAgainst(known, suspicion, plannedCells, freshLimit);
  if (long === null) return settled('cleared');
  const test = testOf(ticket);
  // A row of passes must also be one that the ordinary test calls reliable.
  const row = suspicion === 'improvement' ? Math.max(long, passesToReliable(test)) : long;
  const batch = Math.min(row, failuresTo(test, 0, alarmBoundary(plannedCells)));
  for (;;) {
    const missing = row - fresh().length;
    if (fresh().length > 0 && [...first, ...fresh()].some(isExpected)) return settled('cleared');
    if (missing <= 0) return settled('confirmed');
    if (sample.isExhausted()) return [...first, ...fresh()].some(isExpected) ? settled('cleared') : unsettled(missing);
    yield* sample.take(repeated(question, Math.min(batch, missing)));
  }
}
