import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilson } from './count.js';

// Newcombe 1998, table I, method 3 (score without continuity correction).
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the published interval of %i in %i', (passed, total, lo, hi) => {
  const interval = wilson(passed, total);
  expect(interval[0]).toBeCloseTo(lo, 4);
  expect(interval[1]).toBeCloseTo(hi, 4);
});

test('without trials the interval is everything from 0 to 1', () => expect(wilson(0, 0)).toEqual([0, 1]));

test('the interval contains the observed rate, is mirrored when passes and failures are swapped, and narrows with more trials', () => {
  const counts = fc.nat(200).chain((total) => fc.tuple(fc.nat(total), fc.constant(total)));
  fc.assert(
    fc.property(counts, ([passed, total]) => {
      const [lo, hi] = wilson(passed, total);
      const [mirroredLo, mirroredHi] = wilson(total - passed, total);
      const [narrowLo, narrowHi] = wilson(2 * passed, 2 * total);
      expect(lo).toBeGreaterThanOrEqual(0);
      expect(hi).toBeLessThanOrEqual(1);
      if (total > 0) {
        expect(lo).toBeLessThanOrEqual(passed / total);
        expect(hi).toBeGreaterThanOrEqual(passed / total);
      }
      expect(1 - mirroredHi).toBeCloseTo(lo, 10);
      expect(1 - mirroredLo).toBeCloseTo(hi, 10);
      expect(narrowHi - narrowLo).toBeLessThanOrEqual(hi - lo);
    }),
  );
});

test('each end lies 1.96 standard errors from the observed rate, as the 95 % score test requires', () => {
  const [passed, total] = [81, 263];
  for (const end of wilson(passed, total)) {
    const standardError = Math.sqrt((end * (1 - end)) / total);
    expect(Math.abs(passed / total - end) / standardError).toBeCloseTo(1.959963985, 8);
  }
});
