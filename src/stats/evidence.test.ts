import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOver, evidenceAgainstClaim, evidenceOfChange, evidenceOfTwoRates, swapped } from './evidence.js';

const of = (passed: number, total: number) => ({ passed, total });

test.each([
  [of(40, 40), of(0, 4), 4.21],
  [of(440, 440), of(35, 44), 7.27],
  [of(44, 44), of(35, 44), 0.94],
  [of(40, 40), of(12, 20), 2.58],
  [of(14, 20), of(0, 4), 0.46],
])('%j against %j', (known, doubt, log10) => expect(evidenceOfTwoRates(known, doubt)).toBeCloseTo(log10, 1));

test('few known trials prove only a total drop', () => {
  expect(evidenceOfChange(of(1, 1), of(0, 20))).toBeCloseTo(-20 * Math.log10(0.7), 9);
  expect(evidenceOfChange(of(1, 1), of(1, 20))).toBe(0);
  expect(evidenceOfChange(of(2, 9), of(0, 20))).toBe(0);
  expect(evidenceOfChange(of(0, 0), of(0, 20))).toBe(0);
});

test('no change, and none for the worse, is no evidence', () => {
  expect(evidenceOfChange(of(30, 40), of(3, 4))).toBe(0);
  expect(evidenceOfChange(of(30, 40), of(4, 4))).toBe(0);
  expect(evidenceOfChange(swapped(of(0, 40)), swapped(of(5, 5)))).toBeGreaterThan(4);
});

test('a row of failures speaks ever more for a drop', () => {
  const known = fc
    .integer({ min: 10, max: 400 })
    .chain((n) => fc.record({ passed: fc.integer({ min: Math.ceil(n / 2), max: n }), total: fc.constant(n) }));
  fc.assert(
    fc.property(known, fc.integer({ min: 1, max: 60 }), (one, n) => {
      const [before, after] = [evidenceOfChange(one, of(0, n)), evidenceOfChange(one, of(0, n + 1))];
      if (before > 0) expect(after).toBeGreaterThan(before);
    }),
  );
});

test('an unchanged rate reaches a bound at any of its looks less often than one time in the bound', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % (2 ** 31 - 1);
    return seed / (2 ** 31 - 1);
  };
  let reached = 0;
  for (let world = 0; world < 2000; world++) {
    const rate = random();
    const draw = (count: { passed: number; total: number }) =>
      of(count.passed + (random() < rate ? 1 : 0), count.total + 1);
    let [known, doubt] = [of(0, 0), of(0, 0)];
    while (known.total < 40) known = draw(known);
    let most = 0;
    while (doubt.total < 60) most = Math.max(most, evidenceOfChange(known, (doubt = draw(doubt))));
    if (most >= boundOver(1)) reached += 1;
  }
  expect(reached / 2000).toBeLessThan(1 / 20);
});

test.each([
  [of(19, 20), 0],
  [of(18, 20), 0],
  [of(12, 20), 4.08],
  [of(24, 40), 8.76],
  [of(0, 0), 0],
])('%j against 95 in 100', (trials, log10) => expect(evidenceAgainstClaim(trials)).toBeCloseTo(log10, 1));
