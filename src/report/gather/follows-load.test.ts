import { expect, test } from 'vitest';
import { followsLoad } from './follows-load.js';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Moments of up to eight requests, refused as `isRefused` says. */
function night(requests: number, seed: number, isRefused: (count: number, number: number) => boolean) {
  const next = numbersFrom(seed);
  const moments: { asked: number; turnedAway: number }[] = [];
  for (let count = 0; count < requests;) {
    const asked = Math.min(requests - count, 1 + Math.floor(next() * 8));
    const turnedAway = Array.from({ length: asked }, () => isRefused((count += 1), next())).filter(Boolean).length;
    moments.push({ asked, turnedAway });
  }
  return moments;
}

test.each([30, 100, 300, 1300, 5000])(
  'chance refuses some of %i requests and is hardly ever taken for load',
  (requests) => {
    for (const share of [0.01, 0.05, 0.2]) {
      const seeds = Array.from({ length: 1000 }, (_, seed) => seed * 7919 + 1);
      const wrong = seeds.filter((seed) => followsLoad(night(requests, seed, (_, number) => number < share))).length;
      expect(wrong / seeds.length, `${share}`).toBeLessThan(0.02);
    }
  },
);

test('neither is a count', () => {
  for (const every of [3, 7, 20, 50]) {
    expect(followsLoad(night(1300, 1, (count) => count % every === 0))).toBe(false);
  }
});

test('a crowd at the beginning, or one in each of several bursts, is load', () => {
  expect(followsLoad(night(130, 1, (count) => count > 3 && count <= 8))).toBe(true);
  expect(followsLoad(night(1300, 1, (count) => count % 300 < 8))).toBe(true);
});

test('nothing is known of a single moment, or of no requests', () => {
  expect(followsLoad([{ asked: 8, turnedAway: 4 }])).toBe(false);
  expect(followsLoad([])).toBe(false);
});
