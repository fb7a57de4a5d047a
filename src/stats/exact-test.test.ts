import fc from 'fast-check';
import { expect, test } from 'vitest';
import { probabilityOfFewer, probabilityOfMore } from './exact-test.js';

test("Fisher's tea: 3 of 4 against 1 of 4", () => {
  expect(probabilityOfMore({ passed: 3, total: 4 }, { passed: 1, total: 4 })).toBeCloseTo(17 / 70, 12);
});

test('a flaky cell that died: 0 of 20 against 14 of 20', () => {
  // C(26,20) / C(40,20): all twenty drawn from the 26 failures.
  expect(probabilityOfFewer({ passed: 0, total: 20 }, { passed: 14, total: 20 })).toBeCloseTo(
    230230 / 137846528820,
    12,
  );
});

test('the probabilities of at most that many and of more add up to 1', () => {
  const count = fc
    .integer({ min: 1, max: 40 })
    .chain((total) => fc.record({ passed: fc.nat(total), total: fc.constant(total) }));
  fc.assert(
    fc.property(count, count, (fresh, baseline) => {
      const fewer = probabilityOfFewer(fresh, baseline);
      expect(fewer).toBeGreaterThan(0);
      const canMove = fresh.passed < fresh.total && baseline.passed > 0;
      const more = canMove
        ? probabilityOfMore({ ...fresh, passed: fresh.passed + 1 }, { ...baseline, passed: baseline.passed - 1 })
        : 0;
      expect(fewer + more).toBeCloseTo(1, 9);
    }),
  );
});
