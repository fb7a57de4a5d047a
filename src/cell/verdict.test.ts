import { expect, test } from 'vitest';
import { meetsNeed, verdicts } from './verdict.js';

test('a cell meets a need if it passes, if only at times; one that is not there does not', () => {
  expect([...verdicts, undefined].filter(meetsNeed)).toEqual(['pass', 'flaky']);
});
