import { expect, test } from 'vitest';
import { createSlotShares } from './slot-shares.js';

/** Shares of slots among models that all wait; time stands until `wait`. */
function shared(slots: number, models: number) {
  let now = 1000;
  const users = Array.from({ length: models }, () => ({ waiting: [1], isAnswering: (): boolean => true }));
  const shares = createSlotShares<{ waiting: number[]; isAnswering: () => boolean }>(() => slots, {
    now: () => now,
    sleep: () => Promise.resolve(),
  });
  for (const user of users) shares.add(user);
  return { shares, users, wait: (ms: number) => (now += ms) };
}

test.each([
  [8, 2, 4],
  [8, 3, 3],
  [4, 12, 1],
])('of %i slots each of %i models has %i', (slots, models, share) => {
  const { shares, users } = shared(slots, models);
  const [user] = users;
  if (user === undefined) throw new Error();
  for (let begun = 0; begun < share; begun += 1) {
    expect(shares.isBeyond(user, shares.asking())).toBe(false);
    shares.began(user);
  }
  expect(shares.isBeyond(user, shares.asking())).toBe(true);
});

test('beyond its share goes who is answered: two requests for each answer since the oldest began', () => {
  const { shares, users } = shared(4, 4);
  const [user] = users;
  if (user === undefined) throw new Error();
  shares.began(user);
  expect(shares.mayGoBeyond(user, shares.asking())).toBe(false);
  shares.began(user)();
  expect(shares.mayGoBeyond(user, shares.asking())).toBe(true);
  shares.began(user);
  expect(shares.mayGoBeyond(user, shares.asking())).toBe(true);
  shares.began(user);
  expect(shares.mayGoBeyond(user, shares.asking())).toBe(false);
  user.isAnswering = () => false;
  shares.began(user)();
  expect(shares.mayGoBeyond(user, shares.asking())).toBe(false);
});

test.each([
  [4, 4, 0],
  [4, 8, 60_000],
  [4, 12, 120_000],
])('with %i slots for %i models, one that was not answered rests %i ms after a minute', (slots, models, rest) => {
  const { shares, users, wait } = shared(slots, models);
  const [user] = users;
  if (user === undefined) throw new Error();
  const ended = shares.began(user);
  wait(60_000);
  ended();
  expect(shares.restedAt(user, shares.asking())).toBe(-Infinity);
  user.isAnswering = () => false;
  expect(shares.restedAt(user, shares.asking())).toBe(61_000 + rest);
});
