import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logHistogram } from './log-histogram.js';

const values = fc.array(fc.double({ min: 0.01, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 200 });
const filled = (numbers: readonly number[]) => {
  const histogram = logHistogram();
  for (const number of numbers) histogram.add(number);
  return histogram;
};

test('knows each quantile within 1 %', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (numbers, share) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]!;
      const found = filled(numbers).quantile(share)!;
      expect(Math.abs(found / exact - 1)).toBeLessThan(0.0101);
    }),
  );
});

test('does not depend on the order', () => {
  fc.assert(
    fc.property(values, (numbers) => {
      expect(filled(numbers.toReversed()).quantile(0.95)).toBe(filled(numbers).quantile(0.95));
    }),
  );
});

test('has no quantile of nothing, and takes any number', () => {
  expect(logHistogram().quantile(0.5)).toBeNull();
  expect(filled([0]).quantile(0.5)).toBeCloseTo(0.001, 4);
  expect(filled([-1, 1e30, Infinity]).count()).toBe(3);
});
