import { expect, test } from 'vitest';
import { isTimeout, withinWork } from './time-limit.js';

const stopped = Object.assign(new Error('stopped'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });

/** Fails so many times with this error, then gives the number of the call. */
function failing(times: number, error: unknown) {
  let calls = 0;
  return {
    calls: () => calls,
    attempt: () => {
      calls += 1;
      if (calls <= times) throw error;
      return calls;
    },
  };
}

/** The same after so many milliseconds of work. */
function afterWork(milliseconds: number, attempt: () => number): () => number {
  return () => {
    const from = process.cpuUsage();
    while (process.cpuUsage(from).user < 1000 * milliseconds);
    return attempt();
  };
}

test('what the clock stopped is tried again while this process has hardly worked', () => {
  const { attempt } = failing(2, stopped);
  expect(withinWork(10_000, afterWork(20, attempt))).toBe(3);
});

test('what this process worked at for as long is not', () => {
  const { attempt, calls } = failing(1, stopped);
  expect(() => withinWork(50, afterWork(50, attempt))).toThrow(stopped);
  expect(calls()).toBe(1);
});

test('nor is anything that failed otherwise', () => {
  const other = new RangeError('too deep');
  const { attempt, calls } = failing(1, other);
  expect(() => withinWork(10_000, attempt)).toThrow(other);
  expect([calls(), isTimeout(other), isTimeout(null), isTimeout(stopped)]).toEqual([1, false, false, true]);
});
