import { afterEach, expect, test } from 'vitest';
import { withoutStack } from './without-stack.js';

const usual = Error.stackTraceLimit;
afterEach(() => void (Error.stackTraceLimit = usual));

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const parsing = (): unknown => JSON.parse('Sure!');

test('an error has its message and no stack', () => {
  const error = thrownBy(() => withoutStack(parsing));
  expect(error.message).toBe(thrownBy(parsing).message);
  expect(error.stack).not.toMatch(/\n\s+at /);
});

test('errors that are made later have their stack', () => {
  Error.stackTraceLimit = 3;
  thrownBy(() => withoutStack(parsing));
  expect(withoutStack(() => 'made')).toBe('made');
  expect(Error.stackTraceLimit).toBe(3);
});

test('an engine without such a limit does not get one', () => {
  Reflect.deleteProperty(Error, 'stackTraceLimit');
  try {
    expect(withoutStack(() => 'made')).toBe('made');
    expect('stackTraceLimit' in Error).toBe(false);
  } finally {
    Error.stackTraceLimit = usual;
  }
});

test('works where the limit cannot be set', () => {
  Object.defineProperty(Error, 'stackTraceLimit', { value: 5, writable: false });
  try {
    expect(thrownBy(() => withoutStack(parsing)).message).toBe(thrownBy(parsing).message);
  } finally {
    Object.defineProperty(Error, 'stackTraceLimit', { value: usual, writable: true });
  }
});
