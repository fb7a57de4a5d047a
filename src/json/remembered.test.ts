import { expect, test, vi } from 'vitest';
import { remembered } from './remembered.js';

test('what is asked again is not made again', () => {
  const make = vi.fn((text: string) => text.toUpperCase());
  const made = remembered(2, make);
  expect(['a', 'b', 'a', 'b'].map(made)).toEqual(['A', 'B', 'A', 'B']);
  expect(make.mock.calls.flat()).toEqual(['a', 'b']);
});

test('what is more than the most is forgotten', () => {
  const make = vi.fn((text: string) => text.toUpperCase());
  const made = remembered(2, make);
  expect(['a', 'b', 'c', 'c', 'a'].map(made)).toEqual(['A', 'B', 'C', 'C', 'A']);
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a']);
});

test('values of different types are told apart', () => {
  const made = remembered(9, (value: string | number | boolean | null) => typeof value);
  expect([1, '1', true, 'true', null, 'null'].map(made)).toEqual([
    ...['number', 'string', 'boolean', 'string', 'object', 'string'],
  ]);
});

test('an error is not remembered', () => {
  const made = remembered(9, (text: string) => JSON.parse(text) as unknown);
  for (let time = 0; time < 2; time += 1) expect(() => made('Sure!')).toThrow(SyntaxError);
});
