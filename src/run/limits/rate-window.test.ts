import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../test/support/virtual-clock.js';
import { createRateWindow } from './rate-window.js';

const never = new AbortController().signal;

/** Admits requests in order, and settles each after a while with the tokens it really took. */
async function admitted(
  limits: Parameters<typeof createRateWindow>[0],
  requests: readonly { readonly tokens: number; readonly used: number; readonly ms: number; readonly before: number }[],
  share = 1,
) {
  const clock = createVirtualClock();
  const window = createRateWindow(limits, share, clock);
  const sent: { at: number; used: number }[] = [];
  const all = async (): Promise<void> => {
    const open: Promise<void>[] = [];
    for (const { tokens, used, ms, before } of requests) {
      await clock.sleep(before);
      open.push(
        (async () => {
          const admission = await window.admit(tokens, never);
          sent.push({ at: clock.now(), used });
          await clock.sleep(ms);
          admission?.settle(used);
        })(),
      );
    }
    await Promise.all(open);
  };
  await clock.runUntil(all());
  return sent;
}

describe('a sliding minute', () => {
  test('never contains more requests or tokens than the limits allow, wherever it begins', async () => {
    const request = fc
      .record({
        tokens: fc.integer({ min: 1, max: 90 }),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
        ms: fc.nat(9000),
      })
      .chain(({ tokens, part, ms }) =>
        fc.nat(8000).map((before) => ({ tokens, used: Math.floor(tokens * part), ms, before })),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 90, max: 400 }),
        async (requests, requestsPerMinute, tokensPerMinute) => {
          const sent = await admitted({ requestsPerMinute, tokensPerMinute }, requests);
          expect(sent.length).toBe(requests.length);
          for (const { at } of sent) {
            const within = sent.filter((one) => one.at >= at && one.at < at + 60_000);
            expect(within.length).toBeLessThanOrEqual(requestsPerMinute);
            expect(within.reduce((sum, one) => sum + one.used, 0)).toBeLessThanOrEqual(tokensPerMinute);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('lets requests go as early as they may', async () => {
    const requests = Array.from({ length: 40 }, () => ({ tokens: 1, used: 1, ms: 10, before: 0 }));
    const sent = await admitted({ requestsPerMinute: 10, tokensPerMinute: null }, requests);
    const took = sent.at(-1)!.at - sent[0]!.at;
    expect(took).toBeGreaterThanOrEqual(180_000);
    expect(took).toBeLessThanOrEqual(180_000 * 1.05);
  });

  test('gives back at once what was reserved in excess', async () => {
    const requests = [
      { tokens: 1000, used: 10, ms: 500, before: 0 },
      { tokens: 900, used: 10, ms: 500, before: 1 },
    ];
    const [first, second] = await admitted({ requestsPerMinute: null, tokensPerMinute: 1000 }, requests);
    expect(second!.at - first!.at).toBe(500);
  });

  test('keeps the order of arrival, so that small requests cannot overtake a large one for ever', async () => {
    const requests = [
      { tokens: 60, used: 60, ms: 0, before: 0 },
      { tokens: 100, used: 100, ms: 0, before: 1 },
      { tokens: 10, used: 11, ms: 0, before: 1 },
    ];
    const sent = await admitted({ requestsPerMinute: null, tokensPerMinute: 100 }, requests);
    expect(sent.map(({ used }) => used)).toEqual([60, 100, 11]);
  });

  test('is longer for a share of less than one request a minute', async () => {
    const requests = Array.from({ length: 3 }, () => ({ tokens: 1, used: 1, ms: 0, before: 0 }));
    const sent = await admitted({ requestsPerMinute: 1, tokensPerMinute: null }, requests, 1 / 4);
    expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(240_000);
    expect(sent[2]!.at - sent[1]!.at).toBeGreaterThanOrEqual(240_000);
  });

  test('releases waiting requests when it is aborted', async () => {
    const clock = createVirtualClock();
    const window = createRateWindow({ requestsPerMinute: 1, tokensPerMinute: null }, 1, clock);
    const stop = new AbortController();
    await window.admit(1, stop.signal);
    const waiting = [window.admit(1, stop.signal), window.admit(1, stop.signal)];
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await Promise.all(waiting)).toEqual([null, null]);
  });
});
