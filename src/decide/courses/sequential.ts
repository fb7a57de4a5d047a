import type { Ticket } from '../../plan/ticket.js';
import {
  defaultTest,
  failuresToBroken,
  fewestToDecide,
  passesToReliable,
  type SequentialTest,
} from '../../stats/sequential-test.js';
import type { TrialRange } from '../course.js';
import { fixedSizeCost, plainSample, sampleFixedSize } from './fixed.js';
import { openSample, plainTrial, repeated, type Answered, type Asking, type SampledCell } from './sample.js';

/**
 * Asks until the sequential test ends or `max` trials were judged. The test decides when to stop, never the verdict.
 * Each batch is the fewest trials that could end the test, so that none is wasted.
 */
export function* sampleSequentially(ticket: Ticket): Asking<SampledCell> {
  const { trials } = ticket;
  if (trials.kind === 'count') return yield* sampleFixedSize(ticket);
  const least = leastOf(ticket);
  const most = Math.max(trials.max, least);
  const sample = openSample();
  const missing = () => {
    const { passed, failed } = tally(sample.judged());
    return Math.max(least - passed - failed, fewestToDecide(trials, passed, failed));
  };
  while (!sample.isExhausted()) {
    const batch = Math.min(missing(), most - sample.judged().length);
    if (batch <= 0) break;
    yield* sample.take(repeated(plainTrial, batch));
  }
  return plainSample(sample, missing);
}

/**
 * A flaky cell, whose evidence goes back and forth, is expected to take twice the trials of one that only passes. A new cell
 * is expected to pass, and may fail.
 */
export function sequentialCost(ticket: Ticket): TrialRange {
  const { expected, trials } = ticket;
  if (trials.kind === 'count') return fixedSizeCost(ticket);
  const least = leastOf(ticket);
  const largest = Math.max(trials.max, least);
  const passes = passesToReliable(trials);
  const known = expected.kind === 'entry' ? expected.entry.verdict : 'pass';
  const within = (count: number): number => Math.min(largest, Math.max(least, count));
  const failures = within(failuresToBroken(trials));
  const usual = within({ pass: passes, flaky: 2 * passes, fail: failures }[known]);
  return { expected: usual, largest, likely: [expected.kind === 'new' ? failures : usual, usual] };
}

/** How many trials the course asks at least. */
export function fewestTrials(ticket: Ticket): number {
  const { trials } = ticket;
  if (trials.kind === 'count') return fixedSizeCost(ticket).largest;
  return Math.max(leastOf(ticket), fewestToDecide(trials, 0, 0));
}

/** A probe that names a number of trials gets at least that many. */
function leastOf({ cell, trials }: Ticket): number {
  const named = cell.probe.trials?.kind === 'count' ? cell.probe.trials.count : 1;
  return Math.max(named, trials.kind === 'decided' ? (trials.min ?? 1) : 1);
}

/** Counts good and other answers; by default, those that passed are good. */
export function tally(
  answers: readonly Answered[],
  isGood: (outcome: Answered['outcome']) => boolean = (outcome) => outcome.passed,
): { readonly passed: number; readonly failed: number; readonly total: number } {
  const passed = answers.filter(({ outcome }) => isGood(outcome)).length;
  return { passed, failed: answers.length - passed, total: answers.length };
}

/** The rates a ticket is tested between. */
export function testOf({ trials }: Ticket): SequentialTest {
  return trials.kind === 'decided' ? trials : defaultTest;
}
