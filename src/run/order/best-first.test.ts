import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestFirst, limitBestFirst } from './best-first.js';

test('the highest rank comes first, and of equals who came first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (ranks) => {
      const waiting = bestFirst<{ rank: number; index: number }>();
      const entries = ranks.map((rank, index) => ({ rank, index }));
      for (const entry of entries) waiting.add(entry.rank, entry);
      const taken = entries.map(() => waiting.take());
      expect(taken).toEqual(entries.toSorted((a, b) => b.rank - a.rank || a.index - b.index));
      expect(waiting.take()).toBeUndefined();
    }),
  );
});

test('a task of higher rank that comes while others wait goes before them', async () => {
  const begun: number[] = [];
  const run = limitBestFirst(1);
  const ranks = [1, 1, 3, 2];
  await Promise.all(ranks.map((rank) => run(rank, () => Promise.resolve(begun.push(rank)))));
  expect(begun).toEqual([3, 2, 1, 1]);
  await expect(run(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
