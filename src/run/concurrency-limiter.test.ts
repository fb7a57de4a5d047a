import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.js';

/** The slots of eight after so many refusals in a row, spread over so many milliseconds, and after the next answer. */
function slotsAround(refusals: number, ms: number): readonly [number, number] {
  const limiter = createConcurrencyLimiter(8);
  for (let count = 0; count < refusals; count += 1) {
    const now = 10_000 + (refusals === 1 ? 0 : (count * ms) / (refusals - 1));
    limiter.answered(now, now, true);
  }
  const before = limiter.slots();
  limiter.answered(10_000 + ms, 10_000 + ms + 1, false);
  return [before, limiter.slots()];
}

test.each([
  ['five refusals are too few to slow down', 5, 0, [8, 8]],
  ['six are more than a tenth of fifty', 6, 0, [4, 4]],
  ['six within two seconds stay load', 6, 1999, [4, 4]],
  ['six over more than two seconds were an outage', 6, 2000, [4, 8]],
  ['twelve within a second halve it twice', 12, 1000, [2, 2]],
])('%s', (_, refusals, ms, expected) => {
  expect(slotsAround(refusals, ms)).toEqual(expected);
});

test('an answer between the refusals ends what they have in a row', () => {
  const limiter = createConcurrencyLimiter(8);
  const see = (refused: boolean, now: number) => limiter.answered(now, now, refused);
  for (let count = 0; count < 6; count += 1) see(true, 10_000 + count);
  for (const [refused, now] of [
    [false, 10_100],
    [true, 10_200],
    [false, 13_000],
  ] as const) {
    see(refused, now);
  }
  expect(limiter.slots()).toBe(4);
});
