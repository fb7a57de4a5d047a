import type { Outcome } from '../../judge/outcome.js';

/** The outcome of a trial that chatspec itself could not ask: it says nothing of the model. */
export function ownFault(step: string, error: Error): Outcome {
  return {
    passed: false,
    fault: true,
    class: null,
    reason: null,
    status: null,
    detail: `step "${step}" could not be asked: ${error.message}`,
    rung: null,
    quirks: [],
    violations: [],
    value: undefined,
    reply: null,
    step,
    recovered: null,
  };
}
