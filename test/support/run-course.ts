import type { Course, Finding } from '../../src/decide/course.js';
import type { Outcome } from '../../src/judge/outcome.js';
import type { Ask, PlannedCell } from '../../src/plan/plan.js';

/** Runs a course; `answer` gives the outcome of each ask, or undefined from the ask at which the run stops. */
export function conclude(
  course: Course,
  of: PlannedCell,
  answer: (ask: Ask, index: number) => Outcome | undefined,
): { finding: Finding; asks: Ask[]; batches: number[] } {
  const asks: Ask[] = [];
  const batches: number[] = [];
  const generator = course(of);
  let step = generator.next();
  while (step.done !== true) {
    const outcomes: Outcome[] = [];
    let over = false;
    for (const ask of step.value) {
      const outcome = over ? undefined : answer(ask, asks.length);
      asks.push(ask);
      if (outcome === undefined) over = true;
      else outcomes.push(outcome);
    }
    batches.push(step.value.length);
    step = generator.next(outcomes);
  }
  return { finding: step.value, asks, batches };
}
