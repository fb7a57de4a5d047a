import { expect, test } from 'vitest';
import { aPlannedCell, anEntry, countedTrials, sequentialTrials } from '../../../test/support/build.js';
import { leastTrials } from './sample.js';

const flaky = anEntry({ verdict: 'flaky', passed: 8, total: 10 });
const decided = { ...sequentialTrials, reliable: 0.95, broken: 0.7 };

test.each<[string, number, Parameters<typeof aPlannedCell>[0]]>([
  ['one trial', 1, { trials: countedTrials(1) }],
  ['so many trials', 4, { trials: countedTrials(4) }],
  ['one that passes at times', 3, { trials: countedTrials(1), expected: flaky }],
  ['one that passes at times, asked more often', 4, { trials: countedTrials(4), expected: flaky }],
  ['one that passes at times, where doubts are left', 1, { trials: countedTrials(1), expected: flaky, confirm: false }],
  ['one that is known to fail', 1, { trials: countedTrials(1), expected: anEntry() }],
  ['one that a test decides, which two failures could end', 2, { trials: decided }],
  ['a test that stops before', 1, { trials: { ...decided, max: 1 } }],
  ['a test with a least number', 7, { trials: { ...decided, min: 7 } }],
  ['a test of a probe with a number', 5, { trials: decided, probe: { trials: countedTrials(5) } }],
  ['a test of one that passes at times', 3, { trials: decided, expected: flaky }],
])('%s: at least %d', (_, least, changes) => {
  expect(leastTrials(aPlannedCell(changes))).toBe(least);
});
