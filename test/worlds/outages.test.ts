import fc from 'fast-check';
import { expect, test } from 'vitest';
import { environmentFailures, inEnvironment, type Environment } from './composed/environment.js';
import { judgeControl } from '../../src/assemble/run-parts.js';
import type { Verdict } from '../../src/cell/verdict.js';
import { makeTrial } from '../../src/decide/trial/trial.js';
import type { JsonObject } from '../../src/json/json.js';
import { controlBody } from '../../src/plan/request/request-body.js';
import { drive } from '../../src/run/drive.js';
import { aModel, aPlan, aTarget } from '../support/build.js';
import { driveOptions, eventsOf, fakeTarget, findingsIn, runTicket } from '../support/fake-run.js';
import { createVirtualClock } from '../support/virtual-clock.js';

interface Size {
  readonly models: number;
  readonly cells: number;
  readonly concurrency: number;
}

/** Every tenth cell of a model is answered with 500, whenever it is asked; all others are sound. */
async function runIn(environment: Environment, { models, cells, concurrency }: Size) {
  const clock = createVirtualClock();
  const config = aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency, retries: 3 } });
  const isBroken = (text: string): boolean => text.includes('broken');
  const { target: service } = fakeTarget(config, clock, ({ body }) =>
    isBroken(JSON.stringify((body as JsonObject)['messages']))
      ? { ms: 0, status: 500, body: ['{"error":{"message":"internal error"}}'] }
      : { ms: 0 },
  );
  const { send, counts } = inEnvironment(service.send, environment, clock);
  const target = { ...service, send };
  const tickets = Array.from({ length: models }, (_, index) => aModel(`t/m${index}`)).flatMap((model) =>
    Array.from({ length: cells }, (_, cell) => {
      const name = `${cell % 10 === 3 ? 'broken' : 'sound'}-${cell}`;
      const request = { messages: [{ role: 'user', content: name }] };
      const probe = { steps: [{ kind: 'ask', id: 'request', request, expect: {} }] } as const;
      return runTicket(model, name, 1, { probe });
    }),
  );
  const trial = makeTrial({ retries: () => 3 });
  const options = driveOptions(aPlan(tickets), [target], clock, { trial, controlBody, judgeControl });
  const events = await clock.runUntil(eventsOf(drive(options)));
  const cellsOf = (kind: string): Verdict[] =>
    Object.entries(findingsIn(events))
      .filter(([key]) => key.includes(`/${kind}-`))
      .map(([, { verdict }]) => verdict);
  const others = (all: Verdict[], expected: Verdict): Verdict[] => all.filter((verdict) => verdict !== expected);
  const unreachable = events.filter((event) => event.type === 'model' && !event.reachable).length;
  return {
    turned: [...cellsOf('sound').filter((verdict) => verdict === 'fail' || verdict === 'flaky')],
    unmeasured: others(cellsOf('sound'), 'pass'),
    lost: others(cellsOf('broken'), 'fail'),
    unreachable,
    requests: counts.requests,
    failed: counts.failed,
  };
}

const sizes: readonly Size[] = [
  { models: 2, cells: 30, concurrency: 1 },
  { models: 6, cells: 40, concurrency: 4 },
  { models: 6, cells: 40, concurrency: 32 },
];
const latency = [300, 1500] as const;

test('an outage of seconds turns nothing, whenever it comes and whatever the requests meet', async () => {
  const outage = fc.record({
    from: fc.double({ min: 2, max: 12, noNaN: true }),
    seconds: fc.constantFrom(0.5, 2, 8, 20),
    failures: fc.uniqueArray(fc.constantFrom(...environmentFailures), { minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(outage, fc.constantFrom(...sizes), fc.nat(), async (incident, size, seed) => {
      const { turned } = await runIn({ seed, latency, incidents: [{ ...incident, share: 1 }] }, size);
      expect(turned).toEqual([]);
    }),
    { numRuns: 24 },
  );
});

test.each(
  sizes.flatMap((size) =>
    [
      ['an outage of 2 s', { from: 5, seconds: 2, share: 1 }],
      ['an outage of 20 s', { from: 5, seconds: 20, share: 1 }],
      ['a minute that spoils 1 in 10', { from: 4, seconds: 60, share: 0.1 }],
      ['a service that drops 3 in 100', { from: 4, seconds: Infinity, share: 0.03 }],
    ].map(([name, incident]) => [name, size, incident] as const),
  ),
)('%s, with %j: sound cells pass, and those that always fail are found', async (_, size, incident) => {
  for (const failures of [['http_500'], ['reset']] as const) {
    const { share, ...when } = incident as { from: number; seconds: number; share: number };
    const incidents = [{ ...when, share, failures }];
    const { turned, unmeasured, lost, unreachable } = await runIn({ seed: 5, latency, incidents }, size);
    expect({ failures, turned, unmeasured, unreachable }).toEqual({
      ...{ failures, turned: [], unmeasured: [], unreachable: 0 },
    });
    expect(lost.length).toBeLessThanOrEqual(share === 1 ? 0 : 1);
  }
});

test('a model that goes down for good is given up after five minutes, without a failure and with few requests', async () => {
  const incidents = [{ from: 5, seconds: Infinity, share: 1, failures: ['http_500', 'reset'], model: 'm1' }] as const;
  const { turned, lost, failed } = await runIn(
    { seed: 3, latency, incidents },
    { models: 3, cells: 40, concurrency: 4 },
  );
  expect(turned).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(4);
  expect(failed).toBeLessThan(80);
});

test('a gateway that drops requests under load turns nothing', async () => {
  const incidents = [{ from: 0, seconds: Infinity, share: 1, failures: ['http_500', 'reset'], above: 8 }] as const;
  const { turned } = await runIn({ seed: 3, latency, incidents }, { models: 4, cells: 40, concurrency: 16 });
  expect(turned).toEqual([]);
});
