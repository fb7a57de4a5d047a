import { describe, expect, test } from 'vitest';
import { createSlots, type Lane } from './slots.js';

const ranked = (rank: () => number): Lane => ({ rank, begins: () => undefined });
const lane = (rank: number): Lane => ranked(() => rank);
const shared = { leastPatience: 0, later: () => undefined };
/** A task that runs until it is ended. */
function task(name: string, begun: string[]) {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const run = async (): Promise<void> => {
    begun.push(name);
    await over;
  };
  return { run, end: () => end() };
}
const noting = (begun: string[], name: string) => (): Promise<void> => {
  begun.push(name);
  return Promise.resolve();
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const settle = async (): Promise<void> => {
  for (let count = 0; count < 10; count += 1) await turn();
};

describe('slots', () => {
  test('go to the lane with the highest rank, and in a lane to who came first', async () => {
    const begun: string[] = [];
    const slots = createSlots(1, shared);
    const [low, high] = [lane(1), lane(2)];
    const first = task('first', begun);
    void slots.run(low, first.run);
    for (const [who, name] of [
      [low, 'low 1'],
      [low, 'low 2'],
      [high, 'high 1'],
      [high, 'high 2'],
    ] as const) {
      void slots.run(who, noting(begun, name));
    }
    expect(begun).toEqual(['first']);
    first.end();
    await settle();
    expect(begun).toEqual(['first', 'high 1', 'high 2', 'low 1', 'low 2']);
  });

  test('are asked for the rank when one is free, not when a task comes', async () => {
    const begun: string[] = [];
    const slots = createSlots(1, shared);
    let rank = 0;
    const first = task('first', begun);
    void slots.run(lane(5), first.run);
    void slots.run(lane(1), noting(begun, 'steady'));
    void slots.run(
      ranked(() => rank),
      noting(begun, 'rising'),
    );
    rank = 2;
    first.end();
    await settle();
    expect(begun).toEqual(['first', 'rising', 'steady']);
  });

  test('leave no lane waiting for ever, however many tasks of higher rank come', async () => {
    const begun: string[] = [];
    const slots = createSlots(1, shared);
    const [low, middle, high] = [lane(1), lane(2), lane(3)];
    const always = async (who: Lane, name: string): Promise<void> => {
      for (let count = 0; count < 50; count += 1) {
        await slots.run(who, async () => {
          begun.push(name);
          await settle();
        });
      }
    };
    // Two each, so that one always waits when a slot is free.
    await Promise.all([high, high, middle, middle, low, low].map((who) => always(who, `${who.rank()}`)));
    const soon = begun.slice(0, 60);
    for (const name of ['1', '2']) expect(soon.filter((other) => other === name).length).toBeGreaterThanOrEqual(4);
    expect(soon.filter((name) => name === '3').length).toBeGreaterThan(40);
  });

  test('may become more or fewer at any time', async () => {
    const begun: string[] = [];
    const slots = createSlots(2, shared);
    const one = lane(1);
    const tasks = ['a', 'b', 'c', 'd', 'e'].map((name) => task(name, begun));
    for (const { run } of tasks) void slots.run(one, run);
    expect(begun).toEqual(['a', 'b']);
    slots.most = 3;
    expect(begun).toEqual(['a', 'b', 'c']);
    slots.most = 1;
    tasks[0]?.end();
    tasks[1]?.end();
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    tasks[2]?.end();
    await settle();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('are free again after a task that failed', async () => {
    const slots = createSlots(1, shared);
    const one = lane(1);
    await expect(slots.run(one, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.run(one, () => Promise.resolve(7))).resolves.toBe(7);
  });

  test('are left free by a lane that would not go now, until it would', async () => {
    const begun: string[] = [];
    let rank = -Infinity;
    const laters: (() => void)[] = [];
    const slots = createSlots(1, { leastPatience: 0, later: (again) => laters.push(again) });
    void slots.run(
      ranked(() => rank),
      noting(begun, 'a'),
    );
    expect(begun).toEqual([]);
    laters.shift()?.();
    expect([begun, laters.length]).toEqual([[], 1]);
    rank = 1;
    laters.shift()?.();
    expect(begun).toEqual(['a']);
    await settle();
    expect(laters).toEqual([]);
  });

  test('stay with a lane that asks for the next only when it has given one back', async () => {
    const begun: string[] = [];
    const slots = createSlots(1, shared);
    const [low, high] = [lane(1), lane(2)];
    const inARow = async (): Promise<void> => {
      for (const name of ['high 1', 'high 2', 'high 3']) await slots.run(high, noting(begun, name));
    };
    const all = [inARow(), slots.run(low, noting(begun, 'low'))];
    await Promise.all(all);
    expect(begun).toEqual(['high 1', 'high 2', 'high 3', 'low']);
  });

  test('let more tasks begin before one that was passed over, where that is asked for', async () => {
    const begun: string[] = [];
    const slots = createSlots(1, { leastPatience: 20, later: () => undefined });
    const often = (who: Lane, name: string) => Array.from({ length: 30 }, () => slots.run(who, noting(begun, name)));
    await Promise.all([...often(lane(2), 'high'), ...often(lane(1), 'low')]);
    // The first began before another lane waited.
    expect(begun.indexOf('low')).toBe(1 + 20);
  });
});
