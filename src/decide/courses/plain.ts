import { groupBy } from '../../json/group-by.js';
import type { Ticket } from '../../plan/ticket.js';
import {
  defaultTest,
  failuresToBroken,
  fewestToDecide,
  passesToReliable,
  type SequentialTest,
} from '../../stats/sequential-test.js';
import type { FirstTrials, TrialRange } from '../course.js';
import { findingOf } from '../finding.js';
import { openSample, plainTrial, repeated, type Answered, type Asking, type SampledCell } from './sample.js';

/**
 * Asks the probe as it is written: a set number of trials in one batch, or until the sequential test ends or `max` trials
 * were judged. The test decides when to stop, never the verdict. Each batch is the fewest trials that could end it.
 */
export function* samplePlain(ticket: Ticket): Asking<SampledCell> {
  const { trials } = ticket;
  const [least, most] = [leastOf(ticket), mostOf(ticket)];
  const sample = openSample();
  const missing = () => {
    const { passed, failed, total } = tally(sample.judged());
    return Math.max(0, least - total, trials.kind === 'decided' ? fewestToDecide(trials, passed, failed) : 0);
  };
  while (!sample.isExhausted()) {
    const batch = Math.min(missing(), most - sample.judged().length);
    if (batch <= 0) break;
    yield* sample.take(repeated(plainTrial, batch));
  }
  return {
    ...{ sample, question: plainTrial },
    conclude: () => findingOf(sample.outcomes(), missing()),
    isGood: ({ passed }) => passed,
    isSameQuestion: ({ kind }) => kind === 'trial',
  };
}

/**
 * A flaky cell, whose evidence goes back and forth, is expected to take twice the trials of one that only passes. A new cell
 * is expected to pass.
 */
export function plainCost(ticket: Ticket): TrialRange {
  const { expected, trials } = ticket;
  const [least, largest] = [leastOf(ticket), mostOf(ticket)];
  if (trials.kind === 'count') return { expected: least, largest };
  const passes = passesToReliable(trials);
  const known = expected.kind === 'entry' ? expected.entry.verdict : 'pass';
  const usual = { pass: passes, flaky: 2 * passes, fail: failuresToBroken(trials) }[known];
  return { expected: Math.min(largest, Math.max(least, usual)), largest };
}

/** A probe that names a number of trials gets at least that many. */
function leastOf({ cell, trials }: Ticket): number {
  if (trials.kind === 'count') return Math.max(1, trials.count);
  return Math.max(cell.probe.trials?.kind === 'count' ? cell.probe.trials.count : 1, trials.min ?? 1);
}

const mostOf = (ticket: Ticket): number =>
  Math.max(leastOf(ticket), ticket.trials.kind === 'decided' ? ticket.trials.max : 0);

/** The rates a ticket is tested between. */
export const testOf = ({ trials }: Ticket): SequentialTest => (trials.kind === 'decided' ? trials : defaultTest);

/** Counts good and other answers; by default, those that passed are good. */
export function tally(
  answers: readonly Answered[],
  isGood: (outcome: Answered['outcome']) => boolean = (outcome) => outcome.passed,
): { readonly passed: number; readonly failed: number; readonly total: number } {
  const passed = answers.filter(({ outcome }) => isGood(outcome)).length;
  return { passed, failed: answers.length - passed, total: answers.length };
}

/** What the trials showed that the course asks of every such cell, whatever they show. */
export function firstTrialsOf(ticket: Ticket, { sample, isSameQuestion }: SampledCell): FirstTrials {
  const { trials } = ticket;
  const fewest = Math.max(leastOf(ticket), trials.kind === 'decided' ? fewestToDecide(trials, 0, 0) : 0);
  const first = sample.judged(isSameQuestion).slice(0, fewest);
  const failed = first.flatMap(({ outcome }) => (outcome.passed ? [] : [outcome]));
  const kinds = groupBy(failed, (outcome) => JSON.stringify([outcome.class, outcome.reason]));
  return {
    total: first.length,
    failed: [...kinds.values()].flatMap((alike) =>
      alike.slice(0, 1).map(({ class: outcome, reason }) => ({ class: outcome, reason, count: alike.length })),
    ),
  };
}
