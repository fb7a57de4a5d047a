import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholePart } from './whole-part.js';

test('is exact where the limit can be divided, and all parts together are never more than it', () => {
  const limits = fc.nat({ max: 10_000_000 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), limits, (shards, limit) => {
      expect(wholePart(limit * shards, 1 / shards)).toBe(limit);
      expect(wholePart(limit, 1 / shards) * shards).toBeLessThanOrEqual(limit);
    }),
  );
});
