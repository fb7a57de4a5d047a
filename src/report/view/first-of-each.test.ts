import { expect, test } from 'vitest';
import { firstOfEach } from './first-of-each.js';

const entry = (model: string, number: number) => ({ model, number });
const ofFirst = Array.from({ length: 20 }, (_, index) => entry('first', index));
const ofSecond = [entry('second', 1), entry('second', 2)];
const modelOf = ({ model }: { readonly model: string }) => model;

test('shows a small group beside a large one before it, in the original order', () => {
  const { shown, rest } = firstOfEach([...ofFirst, ...ofSecond], modelOf, 12);
  expect(shown).toEqual([...ofFirst.slice(0, 10), ...ofSecond]);
  expect(rest).toEqual(ofFirst.slice(10));
});

test('shows everything if there is room, and nothing if there are no entries', () => {
  expect(firstOfEach(ofSecond, modelOf, 12)).toEqual({ shown: ofSecond, rest: [] });
  expect(firstOfEach([], modelOf, 12)).toEqual({ shown: [], rest: [] });
});
