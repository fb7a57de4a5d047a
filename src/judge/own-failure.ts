import { excerpt } from '../chat/excerpt.js';
import type { Outcome } from './outcome.js';

/** The outcome of an answer that chatspec itself failed to judge. */
export function unjudged(error: unknown, status: number | null): Outcome {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const detail = `chatspec itself failed to judge this answer, which says nothing about the model (${excerpt(what, 200)})`;
  return ownFailure({ detail, status, step: null });
}

/** The outcome of a trial that chatspec itself failed at: a fault without a class, since the model is not at fault. */
export function ownFailure({ detail, status, step }: Pick<Outcome, 'detail' | 'status' | 'step'>): Outcome {
  return {
    passed: false,
    fault: true,
    class: null,
    reason: null,
    status,
    detail,
    rung: null,
    quirks: [],
    wire: [],
    violations: [],
    value: undefined,
    reply: null,
    step,
    recovered: null,
  };
}
