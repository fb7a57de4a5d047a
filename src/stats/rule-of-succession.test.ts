import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chanceOfAsMany } from './rule-of-succession.js';

test('the sun rises once more: n + 1 of n + 2', () => {
  for (const n of [0, 1, 5, 100])
    expect(chanceOfAsMany({ passed: 1, total: 1 }, { passed: n, total: n })).toBeCloseTo((n + 1) / (n + 2), 12);
});

test('three passes of three after four of ten', () => {
  // 5/12 · 6/13 · 7/14
  expect(chanceOfAsMany({ passed: 3, total: 3 }, { passed: 4, total: 10 })).toBeCloseTo(210 / 2184, 12);
});

test('where nothing is known, every number of passes is equally likely', () => {
  for (let passed = 0; passed <= 10; passed += 1)
    expect(chanceOfAsMany({ passed, total: 10 }, { passed: 0, total: 0 })).toBeCloseTo((11 - passed) / 11, 12);
});

test('any number of passes is certain, and more of them are never likelier', () => {
  const counts = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(30), fc.nat(30));
  fc.assert(
    fc.property(counts, ([total, passed, failed]) => {
      const before = { passed, total: passed + failed };
      const chances = Array.from({ length: total + 1 }, (_, k) => chanceOfAsMany({ passed: k, total }, before));
      expect(chances[0]).toBeCloseTo(1, 9);
      for (const [k, chance] of chances.entries()) expect(chance).toBeLessThanOrEqual((chances[k - 1] ?? 1) + 1e-12);
    }),
  );
});
