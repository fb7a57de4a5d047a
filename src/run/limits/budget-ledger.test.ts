import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aModel } from '../../../test/support/build.js';
import type { BudgetUsedUp } from '../../journal/stop.js';
import { createBudgetLedger, type Reservation } from './budget-ledger.js';
import { createTokenEstimator } from './token-estimator.js';

const none = { requests: null, tokens: null, cost: null };
const nothing = { tokens: 0, cost: 0 };

describe('a budget ledger', () => {
  test('is never overdrawn, not even by requests in flight, as long as none takes more than it reserved', async () => {
    const request = fc.record({
      tokens: fc.integer({ min: 1, max: 100 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      turns: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 40 }),
        fc.nat(20),
        fc.nat(1500),
        async (wishes, requests, tokens) => {
          const ledger = createBudgetLedger({ ...none, requests, tokens }, 1);
          const spent = { requests: 0, tokens: 0 };
          const refused: BudgetUsedUp[] = [];
          await Promise.all(
            wishes.map(async ({ tokens: most, part, turns }) => {
              const reservation = await ledger.reserve({ tokens: most, cost: 0 });
              if (reservation.kind === 'budget') {
                refused.push(reservation);
                return;
              }
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              spent.requests += 1;
              spent.tokens += Math.floor(most * part);
              reservation.settle({ tokens: Math.floor(most * part), cost: 0 });
            }),
          );
          expect(spent.requests).toBeLessThanOrEqual(requests);
          expect(spent.tokens).toBeLessThanOrEqual(tokens);
          expect(spent.requests + refused.length).toBe(wishes.length);
          const lastOne = await ledger.reserve({ tokens: tokens + 1, cost: 0 });
          expect(lastOne).toMatchObject({ kind: 'budget', shard_part: false });
        },
      ),
    );
  });

  test('waits for what may be given back before it refuses', async () => {
    const ledger = createBudgetLedger({ ...none, tokens: 100 }, 1);
    const first = (await ledger.reserve({ tokens: 100, cost: 0 })) as Reservation;
    const second = ledger.reserve({ tokens: 50, cost: 0 });
    first.settle({ tokens: 50, cost: 0 });
    expect(await second).toMatchObject({ kind: 'reserved' });
  });

  test('takes back a reservation that was not sent, and counts what an earlier run had sent', async () => {
    const ledger = createBudgetLedger({ ...none, requests: 2 }, 1);
    ledger.charge(nothing);
    const unsent = (await ledger.reserve(nothing)) as Reservation;
    unsent.release();
    expect(await ledger.reserve(nothing)).toMatchObject({ kind: 'reserved' });
    const refused = ledger.reserve(nothing);
    expect(await Promise.race([refused, Promise.resolve('waits')])).toBe('waits');
  });

  test('counts money without rounding errors', async () => {
    const ledger = createBudgetLedger({ ...none, cost: 0.3 }, 1);
    for (let count = 0; count < 3; count += 1) {
      const reservation = (await ledger.reserve({ tokens: 0, cost: 0.1 })) as Reservation;
      reservation.settle({ tokens: 0, cost: 0.1 });
    }
    expect(await ledger.reserve({ tokens: 0, cost: 0.1 })).toEqual({
      ...{ kind: 'budget', unit: 'cost', limit: 0.3, shard_part: false },
    });
  });

  test.each([
    [{ requests: 10 }, 1 / 3, 3, { unit: 'requests', limit: 3 }],
    [{ tokens: 98 * 100 }, 1 / 49, 2, { unit: 'tokens', limit: 200 }],
    [{ cost: 3 }, 1 / 4, 7, { unit: 'cost', limit: 0.75 }],
  ])('of a shard is its part, rounded down: %j', async (budget, share, fit, usedUp) => {
    const ledger = createBudgetLedger({ ...none, ...budget }, share);
    const most = { tokens: 100, cost: 0.1 };
    for (let count = 0; count < fit; count += 1) ((await ledger.reserve(most)) as Reservation).settle(most);
    expect(await ledger.reserve(most)).toEqual({ kind: 'budget', shard_part: true, ...usedUp });
  });
});

describe('a token estimate', () => {
  const price = { prompt: 1, completion: 2 };
  const body = { messages: [{ role: 'user', content: 'x'.repeat(400) }], max_tokens: 50 };

  test('reserves the cap of the request, whatever its name is for the model', () => {
    const plain = createTokenEstimator(aModel('t/m', { price }));
    const { tokens, cost } = plain.most(body);
    expect(tokens).toBeGreaterThanOrEqual(150);
    expect(cost).toBeCloseTo((tokens - 50 + 2 * 50) / 1e6, 12);
    const renamed = createTokenEstimator(aModel('t/m', { rename: { max_tokens: 'max_out' } }));
    expect(renamed.most({ ...body, max_tokens: null, max_out: 7 }).tokens).toBeLessThan(tokens);
  });

  test('learns that a language takes more tokens, and that a model writes more than was assumed', () => {
    const estimator = createTokenEstimator(aModel('t/m'));
    const open = { messages: body.messages };
    const before = estimator.most(open).tokens;
    expect(estimator.spent(open, { prompt: 300, completion: 5000 })).toEqual({ tokens: 5300, cost: 0 });
    expect(estimator.most(open).tokens).toBeGreaterThanOrEqual(5300);
    expect(before).toBeLessThan(5300);
  });

  test('notices that a cap was overshot', () => {
    const estimator = createTokenEstimator(aModel('t/m'));
    expect(estimator.overshot(body, { prompt: 1, completion: 50 })).toBe(false);
    expect(estimator.overshot(body, { prompt: 1, completion: 51 })).toBe(true);
    expect(estimator.overshot({}, { prompt: 1, completion: 99_999 })).toBe(false);
  });
});
