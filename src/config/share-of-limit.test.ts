import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOfLimit } from './share-of-limit.js';

test('is exact where the limit can be divided, and all shares together never exceed it', () => {
  const limits = fc.nat({ max: 10_000_000 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), limits, (shards, limit) => {
      expect(shareOfLimit(limit * shards, 1 / shards)).toBe(limit);
      expect(shareOfLimit(limit, 1 / shards) * shards).toBeLessThanOrEqual(limit);
    }),
  );
});
