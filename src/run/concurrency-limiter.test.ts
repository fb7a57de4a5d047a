import { describe, expect, test } from 'vitest';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter.js';

/** How many requests may begin at once. */
function room(limiter: ConcurrencyLimiter, now: number): number {
  let begun = 0;
  while (limiter.readyAt() <= now) {
    limiter.began(now);
    begun += 1;
  }
  for (let ended = 0; ended < begun; ended += 1) limiter.ended();
  return begun;
}

/** Answers one after the other, each of 100 ms, of which every nth is refused; 0: none. */
function answers(limiter: ConcurrencyLimiter, count: number, nth: number, from = 0): number {
  let now = from;
  for (let index = 1; index <= count; index += 1) {
    now += 100;
    limiter.answered(now - 100, now, nth > 0 && index % nth === 0);
  }
  return now;
}

describe('a concurrency limiter', () => {
  test('allows what is configured while at most a tenth is refused', () => {
    const limiter = createConcurrencyLimiter(16);
    const now = answers(limiter, 500, 10);
    expect(room(limiter, now)).toBe(16);
  });

  test('allows half of it when more is refused, and then one more after fifty good answers', () => {
    const limiter = createConcurrencyLimiter(16);
    let now = answers(limiter, 6, 1);
    expect(room(limiter, now)).toBe(8);
    now = answers(limiter, 51, 0, now);
    expect(room(limiter, now)).toBe(9);
  });

  test('takes what was sent before a change for nothing new', () => {
    const limiter = createConcurrencyLimiter(16);
    for (let index = 0; index < 16; index += 1) limiter.answered(0, 100, true);
    expect(room(limiter, 100)).toBe(8);
  });

  test('spaces requests out where one at a time is too many, by a second at most', () => {
    const limiter = createConcurrencyLimiter(2);
    let now = answers(limiter, 100, 0);
    for (let halvings = 0; halvings < 10; halvings += 1) now = answers(limiter, 7, 1, now);
    limiter.began(now);
    limiter.ended();
    expect(limiter.readyAt() - now).toBeGreaterThan(900);
    expect(limiter.readyAt() - now).toBeLessThanOrEqual(1000);
  });
});
