import { expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import { driveOptions, eventsOf, fakeTarget, runTicket } from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import { drive } from './drive.js';

/** Runs twenty trials on each of two targets; returns when each request was sent and how many were in flight. */
async function both(accounts: readonly (string | null)[]) {
  const clock = createVirtualClock();
  const fakes = accounts.map((account, index) => {
    const limits = { concurrency: index === 0 ? 2 : 6, requestsPerMinute: index === 0 ? 12 : 10 };
    const { target, ...rest } = fakeTarget(aTarget(`t${index}`, { limits }), clock);
    return { ...rest, target: account === null ? target : { ...target, account } };
  });
  const tickets = ['t0/m', 't1/m'].map((key) => runTicket(aModel(key), 'a', 20));
  const targets = fakes.map(({ target }) => target);
  await clock.runUntil(eventsOf(drive(driveOptions(aPlan(tickets), targets, clock))));
  const times = fakes.flatMap(({ seen }) => seen.map(({ at }) => at));
  const inMinute = times.map((at) => times.filter((time) => time >= at && time < at + 60_000).length);
  const atOnce = times.map((at) => times.filter((time) => time >= at && time < at + 100).length);
  return { count: times.length, mostInMinute: Math.max(...inMinute), mostAtOnce: Math.max(...atOnce) };
}

test('two targets of one account share their limits, of which the strictest hold', async () => {
  expect(await both(['one', 'one'])).toEqual({ count: 42, mostInMinute: 10, mostAtOnce: 2 });
});

test.each([[['one', 'other']], [[null, null]]])(
  'targets of the accounts %j have limits of their own',
  async (accounts) => {
    expect(await both(accounts)).toMatchObject({ count: 42, mostInMinute: 22 });
  },
);
