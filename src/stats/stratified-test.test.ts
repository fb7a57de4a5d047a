import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Count } from './count.js';
import { chancesOfPasses, fewestOf, probabilityOfFewer } from './exact-test.js';
import { boundOfFewer, type Stratum } from './stratified-test.js';

const of = (passed: number, total: number): Count => ({ passed, total });
const count = fc
  .integer({ min: 1, max: 12 })
  .chain((total) => fc.record({ passed: fc.nat(total), total: fc.constant(total) }));
const stratum: fc.Arbitrary<Stratum> = fc.record({ fresh: count, baseline: count });

/** The exact probability: the sum over all outcomes. */
function exact(strata: readonly Stratum[]): number {
  const seen = strata.reduce((sum, { fresh }) => sum + fresh.passed, 0);
  let sums = new Map([[0, 1]]);
  for (const { fresh, baseline } of strata) {
    const next = new Map<number, number>();
    for (const [passed, chance] of sums)
      for (const [index, more] of chancesOfPasses(fresh, baseline).entries()) {
        const sum = passed + fewestOf(fresh, baseline) + index;
        next.set(sum, (next.get(sum) ?? 0) + chance * more);
      }
    sums = next;
  }
  return [...sums].reduce((sum, [passed, chance]) => (passed <= seen ? sum + chance : sum), 0);
}

test('is never below the exact probability, and not far above where it matters', () => {
  fc.assert(
    fc.property(fc.array(stratum, { minLength: 1, maxLength: 6 }), (strata) => {
      const [bound, p] = [boundOfFewer(strata), exact(strata)];
      expect(bound).toBeGreaterThanOrEqual(p * (1 - 1e-6));
      if (p < 0.01) expect(bound).toBeLessThan(20 * p);
    }),
  );
});

test('is exact where no cell could have passed less often', () => {
  const fallen: Stratum = { fresh: of(0, 3), baseline: of(1, 1) };
  expect(boundOfFewer([fallen, fallen])).toBeCloseTo(probabilityOfFewer(fallen.fresh, fallen.baseline) ** 2, 9);
});

test('is not moved by cells in which nothing failed or nothing passed', () => {
  const fell: Stratum = { fresh: of(30, 37), baseline: of(10, 10) };
  const silent: Stratum[] = [
    { fresh: of(10, 10), baseline: of(8, 8) },
    { fresh: of(0, 2), baseline: of(0, 2) },
  ];
  expect(boundOfFewer([fell, fell, ...silent])).toBeCloseTo(boundOfFewer([fell, fell]), 12);
  expect(boundOfFewer(silent)).toBe(1);
});

test('adds up what no cell shows: eleven cells that fail two times in ten', () => {
  const fell: Stratum = { fresh: of(30, 37), baseline: of(10, 10) };
  expect(probabilityOfFewer(fell.fresh, fell.baseline)).toBeGreaterThan(0.1);
  expect(boundOfFewer(Array.from({ length: 11 }, () => fell))).toBeLessThan(1e-6);
});
