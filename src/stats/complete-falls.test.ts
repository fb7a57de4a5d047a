import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chanceOfAtLeast, chanceOfCompleteFall, completeFall } from './complete-falls.js';

const whole = fc.integer({ min: 1, max: 40 });

describe('the chance of a complete fall', () => {
  test.each([
    [1, 1, 0.25],
    [1, 3, 27 / 256],
    [2, 4, 16 / 729],
  ])('%d passes, then %d failures', (passes, failures, expected) => {
    expect(chanceOfCompleteFall({ passes, failures })).toBeCloseTo(expected, 12);
  });

  test('is exceeded by no rate', () => {
    const rates = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(whole, whole, rates, (passes, failures, rate) => {
        const chance = rate ** passes * (1 - rate) ** failures;
        expect(chance).toBeLessThanOrEqual(chanceOfCompleteFall({ passes, failures }) * (1 + 1e-9));
      }),
    );
  });
});

describe('the chance of at least as many events', () => {
  const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });

  test('is that of all outcomes in which they happen', () => {
    fc.assert(
      fc.property(chances, fc.nat(9), (each, least) => {
        let expected = 0;
        for (let outcome = 0; outcome < 2 ** each.length; outcome++) {
          const happens = each.map((_, index) => (outcome >> index) % 2 === 1);
          if (happens.filter(Boolean).length < least) continue;
          expected += each.reduce((product, chance, index) => product * (happens[index] ? chance : 1 - chance), 1);
        }
        expect(chanceOfAtLeast(least, each)).toBeCloseTo(expected, 10);
      }),
    );
  });
});

test('a fall is complete only from all to none', () => {
  expect(completeFall({ passed: 2, total: 2 }, { passed: 0, total: 4 })).toEqual({ passes: 2, failures: 4 });
  for (const [better, worse] of [
    [
      [1, 2],
      [0, 4],
    ],
    [
      [2, 2],
      [1, 4],
    ],
    [
      [0, 0],
      [0, 4],
    ],
    [
      [2, 2],
      [0, 0],
    ],
  ] as const) {
    expect(
      completeFall({ passed: better[0], total: better[1] }, { passed: worse[0], total: worse[1] }),
    ).toBeUndefined();
  }
});
