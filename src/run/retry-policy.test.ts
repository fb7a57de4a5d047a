import { expect, test } from 'vitest';
import { waitBeforeRepeat } from './retry-policy.js';

const request = {
  model: 't/m',
  cell: 'a/b@t/m',
  ask: null,
  send: { purpose: 'probe', step: 'request', attempt: 1, body: {} },
} as const;
const earlier = (retryAfter: number | null) =>
  ({ endedAt: 1000, retryAfter, sign: { kind: 'load', detail: '' }, cause: 'HTTP 503' }) as unknown as Parameters<
    typeof waitBeforeRepeat
  >[1];

/** Up to a quarter is added. */
test.each([
  ['the first wait after one fault', null, 1, 500],
  ['twice as long after two', null, 2, 1000],
  ['eight times after four', null, 4, 4000],
  ['a minute at most', null, 9, 60_000],
  ['what the service asks for', 7000, 9, 7000],
  ['nothing, where it asks for that', 0, 3, 0],
])('waits for %s', (_, retryAfter, faults, least) => {
  const waited = waitBeforeRepeat(request, earlier(retryAfter), { first: 500, faults }, 1000);
  expect(waited).toBeGreaterThanOrEqual(least);
  expect(waited).toBeLessThanOrEqual(least * 1.25);
});
