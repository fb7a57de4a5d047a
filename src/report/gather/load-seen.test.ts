import { describe, expect, test } from 'vitest';
import { anExchange } from '../../../test/support/build.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Json } from '../../json/json.js';
import { loadSentence } from '../view/load-sentence.js';
import { signOf } from '../../judge/refusals/answer-sign.js';
import { openLoadSeen } from './load-seen.js';

const start = Date.parse('2026-07-25T12:00:00Z');

function sent(at: number, ms: number, status: number, more: { attempt?: number; body?: Json; text?: string } = {}) {
  const { attempt = 0, body = { model: 'm', messages: [] }, text = '' } = more;
  const exchange = anExchange(body, { status, headers: {}, body: [text], failure: null });
  const started_at = new Date(start + at).toISOString();
  return {
    ...{ type: 'exchange', id: 'e000001', model: 'demo/m', cell: 's/a@demo/m', ask: null, purpose: 'probe' },
    ...{ step: 'request', attempt, served: null, fingerprint: null },
    exchange: { ...exchange, timing: { started_at, headers_ms: ms, total_ms: ms } },
  } as ExchangeRecord;
}

function throttledBy(records: readonly ExchangeRecord[]) {
  const seen = openLoadSeen();
  for (const record of records) seen.add(record, signOf(record.exchange.request.body, record.exchange.answer));
  return seen.throttled();
}

/** A burst of eight, of which five are refused; then three at a time, half a second each: 360 a minute. */
const throttled = [
  ...Array.from({ length: 3 }, () => sent(0, 500, 200)),
  ...Array.from({ length: 5 }, () => sent(1, 5, 503)),
  ...Array.from({ length: 40 }, (_, turn) => turn * 500 + 2000).flatMap((at) =>
    Array.from({ length: 3 }, () => sent(at, 500, 200)),
  ),
];

describe('what a target refused for load', () => {
  test('names the limits that held', () => {
    expect(throttledBy(throttled)).toEqual([
      {
        ...{ target: 'demo', requests: 128, refused: 5, statuses: [503] },
        held: { concurrency: 3, requests_per_minute: 360 },
      },
    ]);
  });

  test('does not depend on the order in which exchanges are read', () => {
    expect(throttledBy([...throttled].reverse())).toEqual(throttledBy(throttled));
  });

  test('is nothing where nothing was refused, or only for money', () => {
    expect(throttledBy([sent(0, 500, 200), sent(0, 500, 500), sent(600, 5, 400)])).toEqual([]);
    const unpaid = '{"error":{"code":"insufficient_quota","message":"quota"}}';
    expect(throttledBy([sent(0, 500, 200), sent(600, 5, 429, { text: unpaid })])).toEqual([]);
  });

  test('counts what the run slowed down for: a refusal inside a 200, or a 500 that says so', () => {
    const text = '{"error":{"message":"Rate limit reached for requests, too many requests","type":"rate_limit_error"}}';
    const inside = [0, 1, 2].map((turn) => sent(600 * turn, 5, turn === 0 ? 500 : 200, { text, attempt: 1 }));
    const good = [0, 1, 2].map((turn) => sent(600 * turn, 500, 200));
    expect(throttledBy([...good, ...inside])).toMatchObject([{ refused: 3, statuses: [200, 500] }]);
  });

  test('is nothing where one form is refused whatever is sent', () => {
    const body = { model: 'm', messages: [], response_format: { type: 'json_schema' } };
    const form = [0, 1, 2, 3].map((attempt) => sent(attempt * 1000, 5, 503, { attempt, body }));
    expect(throttledBy([...form, sent(0, 500, 200), sent(600, 500, 200)])).toEqual([]);
  });

  test('is counted by target; a run of one moment cannot tell whether a limit would help', () => {
    const other = { ...sent(0, 5, 429), model: 'other/m' };
    const refusals = [0, 1, 2].map((at) => sent(at, 5, 503));
    const held = throttledBy([...refusals, sent(0, 200, 200), other]);
    expect(throttledBy([...refusals.slice(1), sent(0, 200, 200)])).toEqual([]);
    expect(held).toEqual([{ target: 'demo', requests: 4, refused: 3, statuses: [503] }]);
  });

  test.each([
    ['every 20th request', (count: number) => count % 20 === 19],
    ['a few requests of a long night', (count: number) => [100, 700, 1200].includes(count)],
    ['one request in twenty, by chance', (count: number) => (count * 7919) % 257 < 13],
  ])('advises no limits where %s is refused, whatever the load', (_, isRefused) => {
    const night = Array.from({ length: 1300 }, (_, count) =>
      isRefused(count) ? sent(count * 40, 5, 429) : sent(count * 40, 100, 200),
    );
    const found = throttledBy(night);
    expect(found).toHaveLength(1);
    expect(found[0]).not.toHaveProperty('held');
    expect(loadSentence(found[0]!)).not.toContain('limits:');
    expect(loadSentence(found[0]!)).toContain('nothing shows that it depends on the load');
  });

  test('names the model that alone was refused, and its own limits', () => {
    const others = Array.from({ length: 300 }, (_, turn) => ({ ...sent(turn * 70, 60, 200), model: 'demo/calm' }));
    const [found] = throttledBy([...throttled, ...others]);
    expect(found).toEqual({
      ...{ target: 'demo', model: 'demo/m', requests: 128, refused: 5, statuses: [503] },
      held: { concurrency: 3, requests_per_minute: 360 },
    });
    expect(loadSentence(found!)).toMatch(/^demo\/m refused 5 of 128 requests .* set concurrency: 3 for this model$/);
    const few = others.slice(0, 3);
    expect(throttledBy([...throttled, ...few])[0]).toMatchObject({ requests: 131, held: { concurrency: 3 } });
    expect(throttledBy([...throttled, ...few])[0]).not.toHaveProperty('model');
    const both = [...others, { ...sent(2, 5, 503), model: 'demo/calm' }];
    expect(throttledBy([...throttled, ...both])[0]).not.toHaveProperty('model');
  });
});
