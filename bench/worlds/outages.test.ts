import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeControl } from '../../src/assemble/execute-plan.js';
import type { Verdict } from '../../src/cell/verdict.js';
import type { Answer } from '../../src/chat/exchange.js';
import { makeTrial } from '../../src/decide/trial/trial.js';
import type { JsonObject } from '../../src/json/json.js';
import { controlBody } from '../../src/plan/request/request-body.js';
import type { Clock } from '../../src/run/clock.js';
import { drive } from '../../src/run/drive.js';
import type { SendRequest } from '../../src/run/target-state.js';
import { aModel, anExchange, aPlan, aTarget } from '../../test/support/build.js';
import { driveOptions, eventsOf, fakeTarget, findingsIn, aCellToRun } from '../../test/support/fake-run.js';
import { randomFrom } from '../../test/support/random.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';

const refusal = (status: number, body: string, headers: Answer['headers'] = {}): Answer => ({
  ...{ status, headers, body: [body], failure: null },
});
const lost = (kind: 'connection_reset' | 'total_timeout'): Answer => ({
  ...{ status: null, headers: {}, body: [], failure: { kind, message: kind } },
});
/** Answers that the way to the service gives in place of the model. */
const failures = {
  http_500: refusal(500, '{"error":{"message":"Internal server error","type":"server_error"}}'),
  http_502: refusal(502, '<html><head><title>502 Bad Gateway</title></head></html>', { 'content-type': 'text/html' }),
  http_503: refusal(503, '{"error":{"message":"The model is not available at the moment"}}'),
  http_429: refusal(429, '{"error":{"message":"Too many requests"}}', { 'retry-after': '1' }),
  reset: lost('connection_reset'),
  timeout: lost('total_timeout'),
};
type Failure = keyof typeof failures;

/** A time, in seconds after the first request, in which a share of the requests gets no answer of the model. */
interface Incident {
  readonly from: number;
  readonly seconds: number;
  readonly share: number;
  /** A request fails in one of these ways, each equally likely. */
  readonly failures: readonly Failure[];
  /** Only requests to this model; without it, to all. */
  readonly model?: string;
}

/** The way to a service: its answers take 0.3 to 1.5 s, and during the incident some never come. */
function spoilt(
  send: SendRequest,
  { from, seconds, share, failures: ways, model }: Incident,
  clock: Clock,
  seed: number,
) {
  const random = randomFrom(seed);
  const began = clock.now();
  const counts = { failed: 0 };
  const sendSpoilt: SendRequest = async (body, extra, signal) => {
    const asked = (body as JsonObject)['model'];
    const sentAt = clock.now();
    const at = (sentAt - began) / 1000;
    const latency = 300 + 1200 * random();
    const isMet = at < from + seconds && at + latency / 1000 > from && (model ?? asked) === asked;
    const way = isMet && random() < share ? (ways[Math.floor(random() * ways.length)] ?? null) : null;
    // A refusal comes at once; what is cut was on its way.
    await clock.sleep(way === 'timeout' ? 10_000 : way === null || way === 'reset' ? latency : 5, signal);
    if (way !== null) counts.failed += 1;
    const exchange = way === null ? await send(body, extra, signal) : anExchange(body, failures[way]);
    const total = clock.now() - sentAt;
    const started_at = new Date(sentAt).toISOString();
    return { ...exchange, timing: { started_at, headers_ms: total, total_ms: total } };
  };
  return { send: sendSpoilt, counts };
}

interface Size {
  readonly models: number;
  readonly cells: number;
  readonly concurrency: number;
}

/** Every tenth cell of a model is answered with 500, whenever it is asked; all others are sound. */
async function runIn(incident: Incident, { models, cells, concurrency }: Size, seed: number) {
  const clock = createVirtualClock();
  const config = aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency, retries: 3 } });
  const isBroken = (text: string): boolean => text.includes('broken');
  const { target: service } = fakeTarget(config, clock, ({ body }) =>
    isBroken(JSON.stringify((body as JsonObject)['messages']))
      ? { ms: 0, status: 500, body: ['{"error":{"message":"internal error"}}'] }
      : { ms: 0 },
  );
  const { send, counts } = spoilt(service.send, incident, clock, seed);
  const target = { ...service, send };
  const plannedCells = Array.from({ length: models }, (_, index) => aModel(`t/m${index}`)).flatMap((model) =>
    Array.from({ length: cells }, (_, cell) => {
      const name = `${cell % 10 === 3 ? 'broken' : 'sound'}-${cell}`;
      const request = { messages: [{ role: 'user', content: name }] };
      const probe = { steps: [{ kind: 'ask', id: 'request', request, expect: {} }] } as const;
      return aCellToRun(model, name, 1, { probe });
    }),
  );
  const trial = makeTrial({ retries: () => 3 });
  const options = driveOptions(aPlan(plannedCells), [target], clock, { trial, controlBody, judgeControl });
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
    failed: counts.failed,
  };
}

const sizes: readonly Size[] = [
  { models: 2, cells: 30, concurrency: 1 },
  { models: 6, cells: 40, concurrency: 4 },
  { models: 6, cells: 40, concurrency: 32 },
];
test('an outage of seconds turns nothing, whenever it comes and whatever the requests meet', async () => {
  const outage = fc.record({
    from: fc.double({ min: 2, max: 12, noNaN: true }),
    seconds: fc.constantFrom(0.5, 2, 8, 20),
    failures: fc.uniqueArray(fc.constantFrom(...(Object.keys(failures) as Failure[])), { minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(outage, fc.constantFrom(...sizes), fc.nat(), async (incident, size, seed) => {
      const { turned } = await runIn({ ...incident, share: 1 }, size, seed);
      expect(turned).toEqual([]);
    }),
    { numRuns: 24 },
  );
});

test.each(
  sizes.flatMap((size) =>
    [
      ['an outage of 8 s', { from: 5, seconds: 8, share: 1 }],
      ['a service that drops 3 in 100', { from: 4, seconds: Infinity, share: 0.03 }],
    ].map(([name, incident]) => [name, size, incident] as const),
  ),
)('%s, with %j: sound cells pass, and those that always fail are found', async (_, size, incident) => {
  for (const way of ['http_500', 'reset'] as const) {
    const { turned, unmeasured, lost, unreachable } = await runIn(
      { ...(incident as Incident), failures: [way] },
      size,
      5,
    );
    expect({ way, turned, unmeasured, unreachable }).toEqual({ way, turned: [], unmeasured: [], unreachable: 0 });
    expect(lost.length).toBeLessThanOrEqual(1);
  }
});

// A model is waited for ten seconds, or a tenth of the run: what an outage outlasts is not measured, and nothing fails.
test.each(sizes)('an outage of two minutes, with %j: nothing is turned', async (size) => {
  for (const way of ['http_500', 'reset'] as const) {
    const incident = { from: 5, seconds: 120, share: 1, failures: [way] };
    const { turned, unmeasured } = await runIn(incident, size, 5);
    expect({ way, turned }).toEqual({ way, turned: [] });
    expect(new Set(unmeasured)).toEqual(new Set(['inconclusive']));
  }
});

test('a model that goes down for good is given up, without a failure and with few requests', async () => {
  const incident = { from: 5, seconds: Infinity, share: 1, failures: ['http_500', 'reset'], model: 'm1' } as const;
  const { turned, lost, failed } = await runIn(incident, { models: 3, cells: 40, concurrency: 4 }, 3);
  expect(turned).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(4);
  expect(failed).toBeLessThan(80);
});
