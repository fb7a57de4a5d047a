import { expect, test } from 'vitest';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import { createConcurrencyLimiter } from './concurrency-limiter.js';
import { createRateWindow } from './rate-window.js';
import { createRequestGroup, createScheduler, priorities, type Queue, type RequestGroup } from './scheduler.js';

/** An account of four slots whose models ask; requests end when the test says so. */
function account(models: readonly { readonly remaining: number; readonly isAnswering?: boolean }[]) {
  const clock = createVirtualClock();
  const window = createRateWindow({ requestsPerMinute: null, tokensPerMinute: null }, 1, clock);
  const scheduler = createScheduler(createConcurrencyLimiter(4), window, clock, () => undefined);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queues = models.map(({ remaining, isAnswering = true }): Queue => ({
    ...{ waiting: [], limiter: createConcurrencyLimiter(4), window, isHeld: () => false },
    ...{ isAnswering: () => isAnswering, remaining: () => remaining },
  }));
  for (const queue of queues) scheduler.add(queue);
  const ask = (model: number, name: string, priority = 1, group: RequestGroup | null = null) => {
    const queue = queues[model];
    if (queue === undefined) throw new Error('the model is there');
    scheduler.enqueue(queue, {
      ...{ priority, group, tokens: () => 1, drop: () => undefined },
      begin: () => {
        begun.push(name);
        return new Promise<void>((end) => ends.set(name, end));
      },
    });
  };
  /** Ends requests, and lets the event loop turn. */
  const end = async (...names: readonly string[]) => {
    for (const name of names) ends.get(name)?.();
    await new Promise((turn) => setTimeout(turn, 1));
  };
  return { begun, ask, end };
}

test('a group of which all is there begins at once, and nothing begins before it has room', async () => {
  const { begun, ask, end } = account([{ remaining: 9 }, { remaining: 1 }]);
  const group = createRequestGroup(3);
  for (const name of ['a1', 'a2']) ask(1, name);
  for (const name of ['g1', 'g2', 'g3']) ask(0, name, 1, group);
  ask(1, 'a3');
  expect(begun).toEqual(['a1', 'a2']);
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'g1', 'g2', 'g3']);
  await end('a2');
  expect(begun.at(-1)).toBe('a3');
});

test('a group waits for its last request, unless that is not sent', async () => {
  const { begun, ask, end } = account([{ remaining: 9 }, { remaining: 1 }]);
  const group = createRequestGroup(3);
  ask(1, 'a1');
  for (const name of ['g1', 'g2']) ask(0, name, 1, group);
  ask(1, 'a2');
  expect(begun).toEqual(['a1', 'a2']);
  group.leave();
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'g1', 'g2']);
});

test('a control goes before the cells of every model, and while a group waits for room', () => {
  const { begun, ask } = account([{ remaining: 9 }, { remaining: 1 }]);
  const group = createRequestGroup(4);
  ask(1, 'a1');
  for (const name of ['g1', 'g2', 'g3', 'g4']) ask(0, name, 1, group);
  ask(1, 'a2');
  ask(1, 'control', priorities.control);
  expect(begun).toEqual(['a1', 'control']);
});

test('a model within its share of the slots goes before one beyond it, whichever would end last', async () => {
  const { begun, ask, end } = account([{ remaining: 1 }, { remaining: 9 }]);
  for (const name of ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']) ask(1, name);
  for (const name of ['a1', 'a2']) ask(0, name);
  expect(begun).toEqual(['b1', 'b2', 'b3', 'b4']);
  await end('b1', 'b2');
  expect(begun.slice(4)).toEqual(['a1', 'a2']);
  await end('a1');
  expect(begun.slice(6)).toEqual(['b5']);
});

test('within the shares, the model goes first that would end last', async () => {
  const { begun, ask, end } = account([{ remaining: 1 }, { remaining: 9 }, { remaining: 5 }]);
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(0, name);
  ask(2, 'c1');
  ask(1, 'b1');
  await end('a1', 'a2');
  expect(begun.slice(4)).toEqual(['b1', 'c1']);
});
