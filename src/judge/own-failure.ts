import { excerpt } from '../chat/excerpt.js';
import type { Outcome } from './outcome.js';

/** The outcome of an answer that chatspec itself failed to judge: a fault without a class, since the model is not at fault. */
export function unjudged(error: unknown, status: number | null): Outcome {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    passed: false,
    fault: true,
    class: null,
    reason: null,
    status,
    detail: `chatspec itself failed to judge this answer, which says nothing about the model (${excerpt(what, 200)})`,
    rung: null,
    quirks: [],
    wire: [],
    violations: [],
    value: undefined,
    reply: null,
    step: null,
    recovered: null,
  };
}
