import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundByLimits, longestTravel, type Bounds } from './bound-by-limits.js';

/** Milliseconds of the requests in this order, each sent as soon as a slot is free and the minute allows it. */
function makespanOf(order: readonly number[], { slots, perMinute }: Bounds): number {
  const ends: number[] = [];
  const stillCount: number[] = [];
  let at = 0;
  const largest = (of: readonly number[], count: number): number => of.toSorted((a, b) => b - a)[count - 1] ?? 0;
  for (const duration of order) {
    at = Math.max(at, largest(ends, slots), largest(stillCount, perMinute));
    ends.push(at + duration);
    stillCount.push(at + Math.min(duration, longestTravel) + 60_000);
  }
  return Math.max(0, ...ends);
}

function orders(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length === 0) return [[]];
  return of.flatMap((first, index) => orders(of.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

/** Of all orders. An earlier start never hurts, so that no other times have to be tried. */
const least = (durations: readonly number[], limits: Bounds): number =>
  Math.min(...orders(durations).map((order) => makespanOf(order, limits)));

test('no order of requests takes less than the bound', () => {
  const limits = fc.record({ slots: fc.integer({ min: 1, max: 3 }), perMinute: fc.integer({ min: 1, max: 4 }) });
  const duration = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 70_000 }));
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1, maxLength: 6 }), limits, (durations, bounds) => {
      expect(boundByLimits(durations, bounds)).toBeLessThanOrEqual(least(durations, bounds) + 1e-6);
    }),
    { numRuns: 300 },
  );
});

test('and the bound is reached where all requests take the same time', () => {
  const bounds = { slots: 1, perMinute: 2 };
  for (const duration of [100, 2000, 10_000]) {
    const durations = Array.from({ length: 5 }, () => duration);
    expect(boundByLimits(durations, bounds)).toBe(least(durations, bounds));
  }
});
