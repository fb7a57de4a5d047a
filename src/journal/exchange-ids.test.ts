import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeId, openExchangeIds } from './exchange-ids.js';

function kept(ids: readonly string[]): string[] {
  const list = openExchangeIds();
  for (const id of ids) list.add(id);
  return [...list];
}

test('gives back what was added, in order, whatever its form', () => {
  const anyId = fc.oneof(
    fc.nat({ max: 999_999_999_999_999 }).map(exchangeId),
    fc.nat({ max: 2000 }).map(exchangeId),
    fc.constantFrom('', 'x1', 'e1', 'e0000001', 'e-00001', 'shard-2/e000001', 'e9999999999999999'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(anyId), (ids) => {
      expect(kept(ids)).toEqual(ids);
    }),
  );
});

test('can be read more than once, and grow in between', () => {
  const list = openExchangeIds();
  list.add('e000002');
  expect([...list, ...list]).toEqual(['e000002', 'e000002']);
  list.add('e000001');
  expect([...list]).toEqual(['e000002', 'e000001']);
});

test('takes at most two bytes for each id when twenty cells alternate', () => {
  const list = openExchangeIds();
  for (let trial = 0; trial < 5000; trial++) list.add(exchangeId(20 * trial + ((trial * 7) % 32)));
  expect(list.size()).toBeLessThanOrEqual(2 * 5000);
});
