import { expect, test } from 'vitest';
import { isShard, mostShards } from './shard.js';

test.each([
  [1, 1, true],
  [2, 2, true],
  [3, 2, false],
  [0, 2, false],
  [1, 0, false],
  [1.5, 2, false],
  [1, 2.5, false],
  [1, mostShards, true],
  [mostShards, mostShards, true],
  [1, mostShards + 1, false],
  [NaN, 2, false],
])('shard %d/%d: %s', (index, of, possible) => {
  expect(isShard({ index, of })).toBe(possible);
});
