import { expect, test } from 'vitest';
import { normalQuantile } from './normal-quantile.js';

test.each([
  [0.5, 0],
  [0.975, 1.959963985],
  [0.995, 2.575829304],
  [0.999, 3.090232306],
  [0.0001, -3.719016485],
])('quantile of %d', (probability, quantile) => expect(normalQuantile(probability)).toBeCloseTo(quantile, 7));

test.each([0, 1, -0.1, Number.NaN])('%d is refused', (probability) =>
  expect(() => normalQuantile(probability)).toThrow(RangeError),
);
