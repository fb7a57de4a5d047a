import { describe, expect, test } from 'vitest';
import { anExchange } from '../../../test/support/build.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Json } from '../../json/json.js';
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
  for (const record of records) seen.add(record);
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

  test('is counted by target, and a run of one moment gives a limit too', () => {
    const other = { ...sent(0, 5, 429), model: 'other/m' };
    const refusals = [0, 1, 2].map((at) => sent(at, 5, 503));
    const held = throttledBy([...refusals, sent(0, 200, 200), other]);
    expect(throttledBy([...refusals.slice(1), sent(0, 200, 200)])).toEqual([]);
    expect(held.map(({ target }) => target)).toEqual(['demo']);
    expect(held[0]?.held.concurrency).toBe(1);
    expect(held[0]?.held.requests_per_minute).toBeGreaterThanOrEqual(1);
  });
});
