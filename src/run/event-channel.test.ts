import { expect, test } from 'vitest';
import { createChannel, type Channel } from './event-channel.js';

async function* valuesOf<T>(channel: Channel<T>): AsyncGenerator<T> {
  for (let value = await channel.take(); value !== undefined; value = await channel.take()) yield value;
}

test('passes on everything in order, and makes writers wait for a slow reader', async () => {
  const channel = createChannel<number>(4);
  let pushed = 0;
  const writing = (async () => {
    for (let value = 0; value < 50; value += 1) {
      await channel.push(value);
      pushed += 1;
    }
    channel.end();
  })();
  const read: number[] = [];
  for await (const value of valuesOf(channel)) {
    read.push(value);
    expect(pushed).toBeLessThanOrEqual(read.length + 4);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
  expect(read).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test('releases all waiting writers, however many pushed at once', async () => {
  const channel = createChannel<number>(4);
  const writing = Promise.all(Array.from({ length: 500 }, (_, index) => channel.push(index))).then(() => {
    channel.end();
  });
  let read = 0;
  for await (const value of valuesOf(channel)) expect(value).toBe(read++);
  await writing;
  expect(read).toBe(500);
});

test('delivers what came before a failure, and then the failure', async () => {
  const channel = createChannel<string>(4);
  void channel.push('one');
  channel.fail(new Error('broken'));
  const read: string[] = [];
  const reading = (async () => {
    for await (const value of valuesOf(channel)) read.push(value);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(read).toEqual(['one']);
});

test('keeps no writer waiting once the reader has left', async () => {
  const channel = createChannel<number>(1);
  const writing = Promise.all([channel.push(1), channel.push(2)]);
  channel.abandon();
  await writing;
  await channel.push(3);
});
