import { expect, test } from 'vitest';
import { timerDelay } from './program-run.js';
import { limitFrom } from './try-client.js';

const longestTimer = 2_147_483_647;

test.each([
  [20_000, 20_000],
  [41_012.000_74, 41_013],
  [0.4, 1],
  [longestTimer, longestTimer],
  [longestTimer - 0.5, longestTimer],
  [longestTimer + 1, longestTimer],
  [1e12, longestTimer],
])('%d ms become a timer of %d ms', (milliseconds, delay) => {
  expect(timerDelay(milliseconds)).toBe(delay);
  expect(() => AbortSignal.timeout(timerDelay(milliseconds))).not.toThrow();
});

test.each([
  [1, 20_000],
  [4000, 20_000],
  [4001, 20_005],
  [8202.4, 41_012],
])('after a right run of %d ms each other may take %d ms', (took, limit) => {
  expect(limitFrom(took)).toBeCloseTo(limit, 6);
});
