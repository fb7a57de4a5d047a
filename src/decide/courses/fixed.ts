import type { Outcome } from '../../judge/outcome.js';
import type { Ask, Ticket } from '../../plan/ticket.js';
import type { TrialRange } from '../course.js';
import { findingOf } from '../finding.js';
import { openSample, plainTrial, repeated, type Asking, type Sample, type SampledCell } from './sample.js';

/** A set number of trials, all in one batch. */
export function* sampleFixedSize(ticket: Ticket): Asking<SampledCell> {
  const count = countOf(ticket);
  const sample = openSample();
  yield* sample.take(repeated(plainTrial, count));
  return plainSample(sample, () => Math.max(0, count - sample.judged().length));
}

export function fixedSizeCost(ticket: Ticket): TrialRange {
  const count = countOf(ticket);
  return { expected: count, largest: count, likely: [count, count] };
}

function countOf({ trials }: Ticket): number {
  return trials.kind === 'count' ? Math.max(1, trials.count) : 1;
}

/** The sampled cell of a course that only asks the probe as it is written. */
export function plainSample(sample: Sample, needed: () => number): SampledCell {
  return {
    sample,
    conclude: () => findingOf(sample.outcomes(), needed()),
    question: plainTrial,
    isGood: (outcome: Outcome) => outcome.passed,
    isSameQuestion: (ask: Ask) => ask.kind === 'trial',
  };
}
