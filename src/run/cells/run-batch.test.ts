import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWaitingRoom } from '../order/waiting-room.js';
import { runBatch } from './run-batch.js';

const limits = (most: number, waiting = 10) => ({ most, room: createWaitingRoom(waiting), rank: 1 });

test('ten trials wait for their turn, and the next begins when one of them is under way', async () => {
  const begun: { readonly underWay: () => void; readonly end: () => void }[] = [];
  const asks = Array.from({ length: 13 }, (_, index) => `${index}`);
  const ends = runBatch(asks, limits(12), (ask, _, underWay) => {
    return new Promise<string>((resolve) => {
      begun.push({ underWay, end: () => resolve(`end of ${ask}`) });
    });
  });
  expect(begun.length).toBe(10);
  begun[3]?.underWay();
  begun[3]?.underWay();
  expect(begun.length).toBe(11);
  begun[0]?.underWay();
  begun[1]?.underWay();
  expect(begun.length, 'no more may be unfinished').toBe(12);
  begun[2]?.end();
  await expect.poll(() => begun.length).toBe(13);
  for (const { end } of begun) end();
  expect(await ends).toEqual(asks.map((ask) => `end of ${ask}`));
});

test('every trial is tried once, in order, never with more at a time than are allowed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(40), fc.integer({ min: 1, max: 20 }), async (scheduler, size, most) => {
      const asks = Array.from({ length: size }, (_, index) => index);
      const tried: number[] = [];
      let unfinished = 0;
      const ends = runBatch(asks, limits(most), async (ask, index, underWay) => {
        expect(index).toBe(ask);
        tried.push(ask);
        unfinished += 1;
        expect(unfinished).toBeLessThanOrEqual(most);
        await scheduler.schedule(Promise.resolve());
        if (ask % 3 > 0) underWay();
        await scheduler.schedule(Promise.resolve());
        unfinished -= 1;
        return -ask;
      });
      await scheduler.waitFor(ends);
      expect(tried).toEqual(asks);
      expect(await ends).toEqual(asks.map((ask) => -ask));
    }),
  );
});

test('a trial that breaks ends the batch', async () => {
  const broken = runBatch([1, 2], limits(1), () => Promise.reject(new Error('broken')));
  await expect(broken).rejects.toThrow('broken');
});

test('the batches of a model wait in one room, and one with a higher rank goes first', async () => {
  const room = createWaitingRoom(2);
  const begun: string[] = [];
  const underWays: (() => void)[] = [];
  const batch = (rank: number, ...names: string[]) =>
    runBatch(names, { most: 9, room, rank }, (name, _, underWay) => {
      begun.push(name);
      underWays.push(underWay);
      return new Promise<string>((resolve) => setImmediate(resolve, name));
    });
  const all = [batch(1, 'a1', 'a2', 'a3'), batch(1, 'b1'), batch(2, 'c1', 'c2')];
  expect(begun).toEqual(['a1', 'a2']);
  underWays[0]?.();
  underWays[1]?.();
  expect(begun).toEqual(['a1', 'a2', 'c1', 'c2']);
  expect((await Promise.all(all)).flat()).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'c2']);
});
