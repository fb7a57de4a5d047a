import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableIn } from '../../../test/support/cases.js';
import type { Answer } from '../exchange.js';
import { retryAfterOfAnswer } from './retry-after.js';

const longestWait = 3600;
const now = Date.parse('2026-07-25T12:00:00Z');

function answer(headers: Record<string, string>, body: unknown = '', status = 429): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: [text], failure: null };
}

describe('retryAfterOf', () => {
  test.each(tableIn('chat', 'waits in headers') as (readonly [string, Record<string, string>, number | null])[])(
    'reads %s from the headers',
    (_what, headers, wait) => {
      const found = retryAfterOfAnswer(answer(headers), now);
      if (wait === null) {
        expect(found).toBeNull();
      } else {
        expect(found).toBeCloseTo(wait, 6);
      }
    },
  );

  test.each(tableIn('chat', 'waits in bodies') as (readonly [string, unknown, number | null])[])(
    'reads %s from the body',
    (_what, body, wait) => {
      expect(retryAfterOfAnswer(answer({}, body), now)).toBe(wait);
    },
  );

  test('ignores the rate limits of a successful answer', () => {
    expect(
      retryAfterOfAnswer(
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
        const wait = retryAfterOfAnswer(answer({ 'retry-after': after, 'x-ratelimit-reset': reset }, body), now);
        expect(wait === null || (wait >= 0 && wait <= longestWait)).toBe(true);
      }),
    );
  });
});
