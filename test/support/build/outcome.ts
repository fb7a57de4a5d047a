import type { Outcome } from '../../../src/judge/outcome.js';

/** The outcome of a trial; without changes, of one that passed. */
export function anOutcome(changes: Partial<Outcome> = {}): Outcome {
  return {
    ...{ passed: true, fault: false, class: null, reason: null, status: 200, detail: null, rung: 'correct' },
    ...{ quirks: [], wire: [], violations: [], value: undefined, reply: null, step: null, recovered: null },
    ...changes,
  };
}

/** The outcome of a trial that the model failed. */
export function aFailure(changes: Partial<Outcome> = {}): Outcome {
  return anOutcome({ passed: false, class: 'not_json', detail: 'prose', rung: 'present', ...changes });
}

/** The outcome of a trial that says nothing about the model. */
export function aFault(changes: Partial<Outcome> = {}): Outcome {
  const failure = { passed: false, fault: true, class: 'transport', detail: 'connection reset' } as const;
  return anOutcome({ ...failure, status: null, rung: null, ...changes });
}

export const passing = anOutcome();
export const failing = aFailure();
export const faulty = aFault();
