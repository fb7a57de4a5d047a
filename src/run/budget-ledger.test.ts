import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aCompletion, aModel, anAnswer, aUsage, callMessage } from '../../test/support/build.js';
import type { Answer } from '../chat/exchange.js';
import type { Json, JsonObject } from '../json/json.js';
import type { BudgetUsedUp } from '../journal/event.js';
import { createBudgetLedger } from './budget-ledger.js';
import { createTokenEstimator } from './token-estimator.js';

type Reservation = Exclude<Awaited<ReturnType<ReturnType<typeof createBudgetLedger>['reserve']>>, { kind: 'budget' }>;

const none = { requests: null, tokens: null, cost: null };

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

  test('counts money without rounding errors', async () => {
    const ledger = createBudgetLedger({ ...none, cost: 0.3 }, 1);
    for (let count = 0; count < 3; count += 1) {
      const reservation = (await ledger.reserve({ tokens: 0, cost: 0.1 })) as Reservation;
      reservation.settle({ tokens: 0, cost: 0.1 });
    }
    expect(await ledger.reserve({ tokens: 0, cost: 0.1 })).toEqual({
      ...{ kind: 'budget', unit: 'cost', limit: 0.3, shard_part: false, spent: 0.3, next: 0.1 },
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
    expect(await ledger.reserve(most)).toMatchObject({ kind: 'budget', shard_part: true, ...usedUp });
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

  const says = (prompt_tokens: number, completion_tokens: number) =>
    anAnswer({ body: [aCompletion({ usage: { prompt_tokens, completion_tokens } })] });

  test('learns that a language takes more tokens, and that a model writes more than was assumed', () => {
    const estimator = createTokenEstimator(aModel('t/m'));
    const open = { messages: body.messages };
    const before = estimator.most(open).tokens;
    expect(estimator.spent(open, says(300, 5000))).toEqual({ tokens: 5300, cost: 0 });
    expect(estimator.most(open).tokens).toBeGreaterThanOrEqual(5300);
    expect(before).toBeLessThan(5300);
  });
});

describe('what is charged for an answer', () => {
  const body = { messages: [{ role: 'user', content: 'x'.repeat(400) }], max_tokens: 50 };
  const prompt = 115;
  const text = 'abc '.repeat(40);
  const says = (usage: Json, message: JsonObject = { content: text }) =>
    anAnswer({ body: [aCompletion({ usage, message })] });
  const spent = (answer: Answer, asked: Json = body) =>
    createTokenEstimator(aModel('t/m', { price: { prompt: 0, completion: 1e6 } })).spent(asked, answer);
  const call = callMessage(['note', JSON.stringify({ text })]);

  test.each<[string, Answer, number, number]>([
    ['what it says', says({ prompt_tokens: 200, completion_tokens: 45 }), 200, 45],
    ['a total alone', says({ total_tokens: 1000 }), 131, 1000 - 131],
    ['a total and the prompt', says({ prompt_tokens: 300, total_tokens: 1000 }), 300, 700],
    ['a total and the completion', says({ completion_tokens: 45, total_tokens: 1000 }), 131, 45],
    ['hidden tokens', says({ prompt_tokens: 200, completion_tokens: 45, total_tokens: 1000 }), 200, 800],
    ['low numbers', says({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }), prompt, 40],
    ['a low total', says({ total_tokens: 2 }), 131, 50],
    ['low numbers and reasoning', says(aUsage({ completion_tokens: 1 }), { content: '', reasoning: text }), prompt, 40],
    ['low numbers and tool arguments', says(aUsage({ completion_tokens: 1 }), call), prompt, 44],
    ['negative numbers', says({ prompt_tokens: -5, completion_tokens: -5, total_tokens: -10 }), 131, 50],
    ['numbers that cannot be true', says({ prompt_tokens: 1e12, completion_tokens: 1e300 }), 131, 50],
    ['zero', says({ prompt_tokens: 0, completion_tokens: 0 }), 131, 50],
    ['nothing', says(null), 131, 50],
  ])('%s', (_, answer, sent, written) => {
    expect(spent(answer)).toMatchObject({ tokens: sent + written, cost: written });
  });

  test('counts every choice', () => {
    const choice = (index: number) => ({ index, message: { content: text }, finish_reason: 'stop' });
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    expect(spent(anAnswer({ body: [JSON.stringify({ choices: [0, 1].map(choice), usage })] })).cost).toBe(80);
  });

  test('counts neither media by their bytes nor white space by its characters', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(40_000)}` } };
    const seen = { ...body, messages: [{ role: 'user', content: [image] }] };
    const answer = says({ prompt_tokens: 85, completion_tokens: 50 }, { content: '\n  '.repeat(4000) });
    expect(spent(answer, seen)).toEqual({ tokens: 85 + 50, cost: 50 });
  });

  test('is nothing for a refusal', () => {
    expect(spent(anAnswer({ status: 400, body: ['{"error":{"message":"no"}}'] })).tokens).toBe(0);
    expect(spent(anAnswer({ status: null, body: [], failure: { kind: 'dns', message: 'no' } })).tokens).toBe(0);
  });

  test('is never less than what was sent and received, and never negative, whatever is reported', async () => {
    const odd = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null), fc.maxSafeInteger());
    const usage = fc.record(
      { prompt_tokens: odd, completion_tokens: odd, total_tokens: odd, input_tokens: odd, reasoning_tokens: odd },
      { requiredKeys: [] },
    );
    const answers = fc.array(fc.record({ usage: fc.option(usage), words: fc.nat(200) }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(answers, async (all) => {
        const estimator = createTokenEstimator(aModel('t/m', { price: { prompt: 1, completion: 2 } }));
        const total = { tokens: 0, cost: 0 };
        let floor = 0;
        for (const { usage: reported, words } of all) {
          const message = { content: 'abc '.repeat(words) };
          const answer = anAnswer({ body: [aCompletion({ usage: reported as Json, message })] });
          const { tokens, cost } = estimator.spent(body, answer);
          expect(tokens).toBeGreaterThanOrEqual(prompt + words);
          expect(cost).toBeGreaterThanOrEqual((prompt + 2 * words) / 1e6);
          floor += prompt + words;
          total.tokens += tokens;
          total.cost += cost;
          const most = estimator.most(body);
          expect(Number.isFinite(most.tokens) && most.tokens >= prompt + 50).toBe(true);
        }
        expect(total.tokens).toBeGreaterThanOrEqual(floor);
        // A ledger of just that size has nothing left.
        const ledger = createBudgetLedger({ ...none, tokens: floor }, 1);
        ledger.charge(total);
        expect(await ledger.reserve({ tokens: 1, cost: 0 })).toMatchObject({ kind: 'budget', unit: 'tokens' });
      }),
    );
  });
});
