import { expect, test } from 'vitest';
import { isUnreliable } from './standards.js';

test('the trials of a thousand nights are judged as quickly as those of one', () => {
  expect(isUnreliable({ passed: 19, total: 20 })).toBe(false);
  expect(isUnreliable({ passed: 15, total: 20 })).toBe(true);
  expect(isUnreliable({ passed: 949_900, total: 1_000_000 })).toBe(false);
  expect(isUnreliable({ passed: 949_000, total: 1_000_000 })).toBe(true);
});
