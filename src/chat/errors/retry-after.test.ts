import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../exchange.js';
import { retryAfterOf } from './retry-after.js';

const longestWait = 3600;
const now = Date.parse('2026-07-25T12:00:00Z');

function answer(headers: Record<string, string>, body: unknown = '', status = 429): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: [text], failure: null };
}

const message = (text: string): object => ({ error: { message: text } });

describe('retryAfterOf', () => {
  test.each([
    ['seconds', { 'retry-after': '30' }, 30],
    ['a fraction', { 'retry-after': '0.5' }, 0.5],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1.5],
    ['an HTTP date', { 'retry-after': 'Sat, 25 Jul 2026 12:05:00 GMT' }, 300],
    [
      'an HTTP date of a service whose clock is an hour ahead',
      { date: 'Sat, 25 Jul 2026 13:00:00 GMT', 'retry-after': 'Sat, 25 Jul 2026 13:00:05 GMT' },
      5,
    ],
    ['a date in the past', { 'retry-after': 'Sat, 25 Jul 2026 11:00:00 GMT' }, 0],
    ['a duration', { 'retry-after': '1m30s' }, 90],
    ['more than the longest wait', { 'retry-after': '86400' }, longestWait],
    ['text that is not a wait', { 'retry-after': 'soon' }, null],
    ['several headers', { 'retry-after': '3, 1m, 2' }, 60],
    ['several headers, one of which is not a wait', { 'retry-after': '3, soon' }, null],
    ['a reset of the window', { 'ratelimit-reset': '12' }, 12],
    [
      'a duration until the reset',
      { 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '0' },
      360,
    ],
    [
      'milliseconds until the reset',
      { 'x-ratelimit-reset-tokens': '17ms', 'x-ratelimit-remaining-tokens': '0' },
      0.017,
    ],
    [
      'a reset whose name gives the unit',
      { 'x-ratelimit-reset-ms': '1500', 'x-ratelimit-reset-requests-ms': '250', 'x-ratelimit-remaining-requests': '0' },
      1.5,
    ],
    ['no wait for a limit that is not used up', { 'ratelimit-reset-ms': '1500', 'ratelimit-remaining': '4' }, null],
    ['a Unix time whose name gives the unit', { 'x-ratelimit-reset-ms': String(now + 20_000) }, 20],
    ['a Unix time in seconds', { 'retry-after': String(now / 1000 + 20) }, 20],
    ['a Unix time in milliseconds', { 'retry-after': String(now + 20_000) }, 20],
    ['a negative number', { 'retry-after': '-5' }, null],
    [
      'the limit that is used up, not the other',
      {
        'x-ratelimit-reset-requests': '1h',
        'x-ratelimit-remaining-requests': '9',
        'x-ratelimit-reset-tokens': '2s',
        'x-ratelimit-remaining-tokens': '0',
      },
      2,
    ],
    ['Unix seconds', { 'x-ratelimit-reset': String(now / 1000 + 40) }, 40],
    ['Unix milliseconds', { 'x-ratelimit-reset': String(now + 7000) }, 7],
    ['the structured field', { ratelimit: '"default";r=0;t=25' }, 25],
    ['Retry-After before a reset', { 'retry-after': '3', 'ratelimit-reset': '12' }, 3],
  ])('reads %s from the headers', (_what, headers, wait) => {
    const found = retryAfterOf(answer(headers), now);
    if (wait === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(wait, 6);
  });

  test.each([
    ['a protobuf duration', { error: { details: [{ retryDelay: '45.837906927s' }] } }, 45.837906927],
    ['a number', { error: { retry_after: 4 } }, 4],
    ['"try again in 5.289s"', message('Limit reached. Please try again in 5.289s.'), 5.289],
    ['"try again in 7m12s"', message('Please try again in 7m12s'), 432],
    ['"retry in 2 minutes"', message('Please retry in 2 minutes.'), 120],
    ['"retry after 30 seconds"', message('retry after 30 seconds'), 30],
    ['Chinese', message('请求过多，请在 15 秒后重试'), 15],
    ['German', message('Bitte versuchen Sie es in 20 Sekunden erneut'), 20],
    ['French', message('Veuillez réessayer dans 8 secondes'), 8],
    ['a number that is not a wait', message('Limit 15000, used 14000'), null],
  ])('reads %s from the body', (_what, body, wait) => {
    expect(retryAfterOf(answer({}, body), now)).toBe(wait);
  });

  test('ignores the rate limits of a successful answer', () => {
    expect(
      retryAfterOf(
        answer({ 'x-ratelimit-reset-requests': '60', 'x-ratelimit-remaining-requests': '0' }, '{"choices":[]}', 200),
        now,
      ),
    ).toBeNull();
  });

  test('is between 0 and the longest wait, whatever the input', () => {
    const text = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.integer().map((count) => `try again in ${count}s`),
    );
    fc.assert(
      fc.property(text, text, text, (after, reset, body) => {
        const wait = retryAfterOf(answer({ 'retry-after': after, 'x-ratelimit-reset': reset }, body), now);
        expect(wait === null || (wait >= 0 && wait <= longestWait)).toBe(true);
      }),
    );
  });
});
