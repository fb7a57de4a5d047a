import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { Clock } from './clock.js';
import { createRateWindow, type Admission, type RateWindow } from './rate-window.js';

type Limits = Parameters<typeof createRateWindow>[0];

/** One request, in milliseconds and tokens. */
interface Sending {
  /** After the request before it. */
  readonly before: number;
  /** Until it leaves this process: a connection has to be made, the machine is busy. */
  readonly held?: number;
  /** Until it arrives at the service. */
  readonly travel?: number;
  /** Until its answer is here. */
  readonly ms: number;
  readonly tokens: number;
  readonly used: number;
}

/** Waits until the request fits. */
async function admit(window: RateWindow, clock: Clock, tokens: number): Promise<Admission> {
  for (;;) {
    const at = window.fitsAt(tokens, clock.now());
    if (at <= clock.now()) return window.enter(tokens);
    // Something may be answered before.
    await clock.sleep(Math.min(at - clock.now(), 500));
  }
}

interface Arrival {
  readonly at: number;
  readonly used: number;
}

/** Sends requests in order, each as soon as it is admitted; returns when each arrived. */
async function arrivals(limits: Limits, requests: readonly Sending[], share = 1): Promise<Arrival[]> {
  const clock = createVirtualClock();
  const window = createRateWindow(limits, share, clock);
  const arrived: Arrival[] = [];
  const send = async ({ held = 0, travel = 0, ms, used }: Sending, admission: Admission): Promise<void> => {
    if (held > 0) await clock.sleep(held);
    admission.sent();
    if (travel > 0) await clock.sleep(travel);
    arrived.push({ at: clock.now(), used });
    await clock.sleep(ms);
    admission.settle(used);
  };
  const all = async (): Promise<Arrival[]> => {
    const open: Promise<void>[] = [];
    for (const next of requests) {
      await clock.sleep(next.before);
      open.push(send(next, await admit(window, clock, next.tokens)));
    }
    await Promise.all(open);
    return arrived;
  };
  return clock.runUntil(all());
}

/** The most requests and tokens that arrived in any sliding minute. */
function mostInMinute(arrived: readonly Arrival[]) {
  const minutes = arrived.map(({ at }) => arrived.filter((one) => one.at >= at && one.at < at + 60_000));
  return {
    requests: Math.max(0, ...minutes.map((minute) => minute.length)),
    tokens: Math.max(0, ...minutes.map((minute) => minute.reduce((sum, { used }) => sum + used, 0))),
  };
}

const sending: fc.Arbitrary<Sending> = fc
  .record({
    tokens: fc.integer({ min: 1, max: 90 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    before: fc.oneof(fc.constant(0), fc.nat(8000)),
    held: fc.oneof(fc.constant(0), fc.nat(12_000)),
    travel: fc.oneof(fc.constant(0), fc.nat(3000)),
    ms: fc.oneof(fc.constant(0), fc.nat(9000), fc.nat(90_000)),
  })
  .map(({ part, ...rest }) => ({ ...rest, used: Math.floor(rest.tokens * part) }));
const sendings = fc.array(sending, { minLength: 1, maxLength: 60 });
const limitsOf = fc.record({
  requestsPerMinute: fc.integer({ min: 1, max: 12 }),
  tokensPerMinute: fc.integer({ min: 90, max: 400 }),
});

describe('a sliding minute', () => {
  test('never contains more requests or tokens than the limits allow, whatever holds them up on the way', async () => {
    await fc.assert(
      fc.asyncProperty(sendings, limitsOf, async (requests, limits) => {
        const arrived = await arrivals(limits, requests);
        expect(arrived.length).toBe(requests.length);
        const most = mostInMinute(arrived);
        expect(most.requests).toBeLessThanOrEqual(limits.requestsPerMinute);
        expect(most.tokens).toBeLessThanOrEqual(limits.tokensPerMinute);
      }),
      { numRuns: 60 },
    );
  });

  test('holds from the first request on where a service counts more tokens than were expected', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2000 }),
        fc.array(fc.nat(3000), { minLength: 1, maxLength: 40 }),
        async (used, before) => {
          const requests = before.map((ms) => ({ before: ms, ms: 500, tokens: 100, used }));
          const arrived = await arrivals({ requestsPerMinute: null, tokensPerMinute: 5000 }, requests);
          expect(mostInMinute(arrived).tokens).toBeLessThanOrEqual(5000);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('lets requests go as early as they may', async () => {
    const requests = Array.from({ length: 40 }, () => ({ tokens: 1, used: 1, ms: 10, before: 0 }));
    const sent = await arrivals({ requestsPerMinute: 10, tokensPerMinute: null }, requests);
    const took = sent.at(-1)!.at - sent[0]!.at;
    expect(took).toBeGreaterThanOrEqual(180_000);
    expect(took).toBeLessThanOrEqual(180_000 * 1.05);
  });

  test('gives back at once what was reserved in excess', async () => {
    const requests = [
      { tokens: 1000, used: 10, ms: 500, before: 0 },
      { tokens: 900, used: 10, ms: 500, before: 1 },
    ];
    const [first, second] = await arrivals({ requestsPerMinute: null, tokensPerMinute: 1000 }, requests);
    expect(second!.at - first!.at).toBeLessThan(1001);
  });

  test('keeps the order of arrival, so that small requests cannot overtake a large one for ever', async () => {
    const requests = [
      { tokens: 60, used: 60, ms: 0, before: 0 },
      { tokens: 100, used: 100, ms: 0, before: 1 },
      { tokens: 10, used: 11, ms: 0, before: 1 },
    ];
    const sent = await arrivals({ requestsPerMinute: null, tokensPerMinute: 100 }, requests);
    expect(sent.map(({ used }) => used)).toEqual([60, 100, 11]);
  });

  test('is longer for a share of less than one request a minute', async () => {
    const requests = Array.from({ length: 3 }, () => ({ tokens: 1, used: 1, ms: 0, before: 0 }));
    const sent = await arrivals({ requestsPerMinute: 1, tokensPerMinute: null }, requests, 1 / 4);
    expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(240_000);
    expect(sent[2]!.at - sent[1]!.at).toBeGreaterThanOrEqual(240_000);
  });

  test('lets the first request go alone under a limit of tokens', () => {
    const clock = createVirtualClock();
    const window = createRateWindow({ requestsPerMinute: null, tokensPerMinute: 1000 }, 1, clock);
    const first = window.enter(1);
    expect(window.fitsAt(1, clock.now())).toBe(Infinity);
    first.settle(1);
    expect(window.fitsAt(1, clock.now())).toBeLessThan(Infinity);
  });
});
