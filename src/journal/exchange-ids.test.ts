import { expect, test } from 'vitest';
import { exchangeId, exchangeIdsAfter, exchangeNumber } from './exchange-ids.js';

test('an id and its number belong together, and ids of other forms have none', () => {
  for (const number of [1, 999_999, 1_000_000]) expect(exchangeNumber(exchangeId(number))).toBe(number);
  for (const id of ['', 'e1', 'e0000001', 'shard-2/e000001']) expect(exchangeNumber(id)).toBeNull();
  expect(exchangeIdsAfter(6)()).toBe('e000007');
});
