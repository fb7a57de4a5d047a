import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.js';

const after = (answers: readonly boolean[]) => {
  const breaker = createCircuitBreaker();
  const opened = answers.map(breaker.note);
  return { breaker, opened: opened.filter((one) => one).length };
};
const failures = (count: number): readonly boolean[] => Array.from({ length: count }, () => false);

test.each([
  [9, 0],
  [10, 1],
  [11, 1],
  [30, 1],
])('opens once, with the tenth failure in a row: %i', (count, opened) => {
  const found = after(failures(count));
  expect(found.opened).toBe(opened);
  expect(found.breaker.isOpen()).toBe(opened === 1);
  expect(found.breaker.failuresInARow()).toBe(count);
});

test('counts from the last answer', () => {
  expect(after([...failures(9), true, ...failures(9)])).toMatchObject({ opened: 0 });
  expect(after([...failures(9), true, ...failures(10)])).toMatchObject({ opened: 1 });
});

test('counts from its closing', () => {
  const { breaker } = after(failures(10));
  breaker.close();
  expect([breaker.isOpen(), breaker.failuresInARow()]).toEqual([false, 0]);
  expect(failures(10).map(breaker.note).indexOf(true)).toBe(9);
});
