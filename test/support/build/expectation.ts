import type { Expectation } from '../../../src/judge/expectation.js';

/** What a trial must answer; without changes, what a plain request expects. */
export function anExpectation(changes: Partial<Expectation> = {}): Expectation {
  return {
    ...{ toolCall: { kind: 'none' }, content: 'text', schema: null, finishReasons: null },
    ...{ rejected: null, outcome: null, rules: [], reasoning: null },
    ...changes,
  };
}
