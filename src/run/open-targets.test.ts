import { expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import { driveOptions, eventsOf, fakeTarget, runTicket } from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { TargetConfig } from '../config/config.js';
import { drive } from './drive.js';

/** Runs twenty trials on each of two targets; returns when each request was sent and how many were in flight. */
async function both(one: Partial<TargetConfig>, other: Partial<TargetConfig>) {
  const clock = createVirtualClock();
  const limits = { concurrency: 6, requestsPerMinute: 10 };
  const fakes = [
    fakeTarget(
      { ...aTarget('one', { baseUrl: 'http://fake/v1', limits: { ...limits, concurrency: 2 } }), ...one },
      clock,
    ),
    fakeTarget({ ...aTarget('other', { baseUrl: 'http://fake/v1', limits }), ...other }, clock),
  ];
  const tickets = ['one/m', 'other/m'].map((key) => runTicket(aModel(key), 'a', 20));
  const targets = fakes.map(({ target }) => target);
  await clock.runUntil(eventsOf(drive(driveOptions(aPlan(tickets), targets, clock))));
  const times = fakes.flatMap(({ seen }) => seen.map(({ at }) => at));
  const inMinute = times.map((at) => times.filter((time) => time >= at && time < at + 60_000).length);
  const atOnce = times.map((at) => times.filter((time) => time >= at && time < at + 100).length);
  return { count: times.length, mostInMinute: Math.max(...inMinute), mostAtOnce: Math.max(...atOnce) };
}

test('two targets with one address and one key share their limits, of which the strictest hold', async () => {
  const shared = await both({ apiKeyEnv: 'KEY' }, { apiKeyEnv: 'KEY' });
  expect(shared).toEqual({ count: 42, mostInMinute: 10, mostAtOnce: 2 });
});

test.each<[string, Partial<TargetConfig>, Partial<TargetConfig>]>([
  ['another key', { apiKeyEnv: 'KEY' }, { apiKeyEnv: 'OTHER_KEY' }],
  ['another address', { apiKeyEnv: 'KEY' }, { apiKeyEnv: 'KEY', baseUrl: 'http://elsewhere/v1' }],
  ['no key', {}, {}],
])('%s means another account', async (_, one, other) => {
  expect(await both(one, other)).toMatchObject({ count: 42, mostInMinute: 20 });
});
