import { expect, test, vi } from 'vitest';
import { latest } from './latest.js';

test('what is asked again is not made again, and only the latest is remembered', () => {
  const make = vi.fn((text: string) => text.toUpperCase());
  const made = latest(make);
  expect(['a', 'a', 'b', 'b', 'a'].map(made)).toEqual(['A', 'A', 'B', 'B', 'A']);
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'a']);
});

test('values of different types are told apart', () => {
  const made = latest((value: string | number | boolean | null) => typeof value);
  expect([1, '1', true, 'true', null, 'null'].map(made)).toEqual([
    ...['number', 'string', 'boolean', 'string', 'object', 'string'],
  ]);
});

test('an error is not remembered', () => {
  const made = latest((text: string) => JSON.parse(text) as unknown);
  for (let time = 0; time < 2; time += 1) expect(() => made('Sure!')).toThrow(SyntaxError);
});
