import type { Outcome } from '../../judge/outcome.js';
import type { Ask, Ticket } from '../../plan/ticket.js';
import { findingOf } from '../finding.js';
import { openSample, plainTrial, repeated, type Asking, type Sample, type Sampled } from './sample.js';

/** A set number of trials, all in one batch. */
export function* sampleFixed(ticket: Ticket): Asking<Sampled> {
  const count = ticket.trials.kind === 'count' ? Math.max(1, ticket.trials.count) : 1;
  const sample = openSample();
  yield* sample.take(repeated(plainTrial, count));
  return plainly(sample, () => Math.max(0, count - sample.judged().length));
}

/** The rest of a course whose every trial asks the probe as it stands. */
export function plainly(sample: Sample, needed: () => number): Sampled {
  return {
    sample,
    conclude: () => findingOf(sample.outcomes(), needed()),
    question: plainTrial,
    good: (outcome: Outcome) => outcome.passed,
    concerns: (ask: Ask) => ask.kind === 'trial',
  };
}
