import type { Ticket } from '../../plan/ticket.js';
import { plainly, sampleFixed } from './fixed.js';
import { openSample, plainTrial, repeated, type Answered, type Asking, type Sampled } from './sample.js';
import { defaultTest, fewestToSettle, type SequentialTest } from '../../stats/sequential-test.js';

/**
 * Trials until the sequential test ends, or `max` were judged. The test says when to stop, never what to say. A batch is
 * the fewest trials that could end it, so that none is wasted.
 */
export function* sampleDecided(ticket: Ticket): Asking<Sampled> {
  const { trials } = ticket;
  if (trials.kind === 'count') return yield* sampleFixed(ticket);
  const least = leastOf(ticket);
  const most = Math.max(trials.max, least);
  const sample = openSample();
  const missing = () => {
    const { passed, failed } = counted(sample.judged());
    return Math.max(least - passed - failed, fewestToSettle(trials, passed, failed));
  };
  while (!sample.dry()) {
    const batch = Math.min(missing(), most - sample.judged().length);
    if (batch <= 0) break;
    yield* sample.take(repeated(plainTrial, batch));
  }
  return plainly(sample, missing);
}

/** A probe that names a number of trials gets at least that many. */
function leastOf({ cell, trials }: Ticket): number {
  const named = cell.probe.trials?.kind === 'count' ? cell.probe.trials.count : 1;
  return Math.max(named, trials.kind === 'decided' ? (trials.min ?? 1) : 1);
}

export function counted(
  answers: readonly Answered[],
  good: (outcome: Answered['outcome']) => boolean = (outcome) => outcome.passed,
): { readonly passed: number; readonly failed: number; readonly total: number } {
  const passed = answers.filter(({ outcome }) => good(outcome)).length;
  return { passed, failed: answers.length - passed, total: answers.length };
}

/** The rates a ticket is tested between. */
export function testOf({ trials }: Ticket): SequentialTest {
  return trials.kind === 'decided' ? trials : defaultTest;
}
