import { expect, test } from 'vitest';
import { benjaminiHochberg } from './benjamini-hochberg.js';

// The example of Benjamini and Hochberg 1995: 15 p-values, four of which are significant at 5 %.
const published = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
];

test('the published example', () => {
  expect(benjaminiHochberg(published, 0.05)).toEqual(published.map((_, index) => index < 4));
});

test('the results keep the order of the input', () => {
  const reversed = published.toReversed();
  expect(benjaminiHochberg(reversed, 0.05)).toEqual(reversed.map((pValue) => pValue <= 0.0095));
});

test('a value above its own threshold is significant when a larger value meets its threshold', () => {
  expect(benjaminiHochberg([0.009, 0.0099], 0.01)).toEqual([true, true]);
  expect(benjaminiHochberg([0.009, 0.02], 0.01)).toEqual([false, false]);
});

test('without p-values the result is empty', () => expect(benjaminiHochberg([], 0.01)).toEqual([]));

test('tests that showed nothing count without being listed', () => {
  const few = [0.02, 0.001, 0.012];
  const nothing = Array.from({ length: 7 }, () => 1);
  expect(benjaminiHochberg(few, 0.05, 10)).toEqual(benjaminiHochberg([...few, ...nothing], 0.05).slice(0, 3));
  expect(benjaminiHochberg(few, 0.05, 10)).not.toEqual(benjaminiHochberg(few, 0.05));
});
