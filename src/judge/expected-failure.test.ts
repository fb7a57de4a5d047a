import { describe, expect, test } from 'vitest';
import { anExpectation } from '../../test/support/build.js';
import { judged, type Judged } from '../../test/support/judged.js';
import { asJson, good, json } from '../../test/support/orders.js';
import type { Expectation } from './expectation.js';
import { serverErrorAsFailure } from './judge.js';
import type { Outcome } from './outcome.js';

const facts = ({ passed, class: kind, rung, fault }: Outcome): unknown => ({ passed, class: kind, rung, fault });

describe('faults', () => {
  const http = (status: number, body = ''): Judged => ({ answer: { status, body: [body] } });
  test.each<readonly [string, Judged, boolean]>([
    ['401', http(401), true],
    ['402', http(402), true],
    ['403', http(403), true],
    ['429', http(429), true],
    ['500', http(500), true],
    ['503', http(503, '<html></html>'), true],
    ['400', http(400, '{"error":{"message":"max_tokens"}}'), false],
    ['404', http(404, '{"error":{"message":"m-1 not found"}}'), false],
    ['422', http(422), false],
    ['a key error in a 200', http(200, '{"base_resp":{"status_code":2049,"status_msg":"invalid api key"}}'), true],
    ['a rate limit in a 200', http(200, '{"error":{"code":429,"message":"slow down"}}'), true],
    ['another error in a 200', http(200, '{"error":{"code":500,"message":"boom"}}'), false],
    [
      'an unusable schema',
      { message: { content: '1' }, expect: { content: 'json', schema: { $ref: 'https://x.invalid/' } } },
      true,
    ],
  ])('%s', (_what, given, fault) => {
    expect(judged(given).fault).toBe(fault);
  });

  test('a stream that was cut is a fault, a connection that ends after [DONE] is not', () => {
    const chunk = `data: ${JSON.stringify({ id: 'c', model: 'm', created: 1, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] })}\n\n`;
    const failure = { kind: 'connection_reset', message: 'reset' } as const;
    const request = { stream: true };
    expect(facts(judged({ request, answer: { body: [chunk] } }))).toEqual({
      passed: false,
      class: 'transport',
      rung: 'accepted',
      fault: true,
    });
    expect(facts(judged({ request, answer: { body: [chunk], failure } }))).toEqual({
      passed: false,
      class: 'transport',
      rung: null,
      fault: true,
    });
    const done = judged({ request, answer: { body: [chunk, 'data: [DONE]\n\n'], failure } });
    expect(done).toMatchObject({ passed: true, quirks: ['cut_after_done', 'finish_reason_missing'] });
  });

  test('only a repeated 5xx becomes a failure', () => {
    expect(serverErrorAsFailure(judged(http(500)))).toMatchObject({ fault: false, passed: false, class: 'http_error' });
    expect(serverErrorAsFailure(judged(http(429)))).toMatchObject({ fault: true });
    const expected = judged({ ...http(500), expect: { outcome: 'http_error' } });
    expect(expected).toMatchObject({ fault: true, passed: false });
    expect(serverErrorAsFailure(expected, { ...anExpectation(), outcome: 'http_error' })).toMatchObject({
      fault: false,
      passed: true,
    });
  });
});

describe('expected failures', () => {
  const refused: Judged = {
    answer: { status: 400, body: ['{"error":{"message":"messages must contain the word json"}}'] },
    request: { response_format: { type: 'json_object' } },
  };
  const rejected = (more: Partial<NonNullable<Expectation['rejected']>>): Partial<Expectation> => ({
    rejected: { status: null, reason: null, only: false, ...more },
  });
  test.each<readonly [string, Judged, boolean, Outcome['class']]>([
    ['the refusal, by reason', { ...refused, expect: rejected({ reason: 'json_word_required' }) }, true, null],
    ['the refusal, by status', { ...refused, expect: rejected({ status: [400, 422] }) }, true, null],
    ['any refusal', { ...refused, expect: rejected({}) }, true, null],
    ['another reason', { ...refused, expect: rejected({ reason: 'schema_rejected' }) }, false, 'http_error'],
    ['another status', { ...refused, expect: rejected({ status: [422] }) }, false, 'http_error'],
    ['a good answer passes too', { expect: rejected({}) }, true, null],
    ['a good answer where only a refusal passes', { expect: rejected({ only: true }) }, false, 'ineffective'],
    [
      'a bad answer where only a refusal passes',
      { message: { content: '' }, expect: rejected({ only: true }) },
      false,
      'empty_content',
    ],
    ['a rate limit is not the refusal', { answer: { status: 429 }, expect: rejected({}) }, false, 'http_error'],
    ['a rate limit that was named', { answer: { status: 429 }, expect: rejected({ status: [429] }) }, true, null],
    ['truncated, as expected', { finish: 'length', expect: { outcome: 'truncated' } }, true, null],
    ['not truncated', { expect: { outcome: 'truncated' } }, false, 'unexpected_finish_reason'],
    [
      'truncated expected, empty found',
      { message: { content: '' }, expect: { outcome: 'truncated' } },
      false,
      'empty_content',
    ],
    ['not_json, as expected', { ...json('no'), expect: { ...asJson, outcome: 'not_json' } }, true, null],
    [
      'not_json expected, good found',
      { ...json(good), expect: { ...asJson, outcome: 'not_json' } },
      false,
      'ineffective',
    ],
  ])('%s', (_what, given, passed, kind) => {
    expect(judged(given)).toMatchObject({ passed, class: kind, fault: given.answer?.status === 429 && !passed });
  });

  test('a cap that was ignored is named with the tokens that came', () => {
    const { detail } = judged({
      request: { max_tokens: 12 },
      usage: { prompt_tokens: 20, completion_tokens: 196, total_tokens: 216 },
      expect: { outcome: 'truncated' },
    });
    expect(detail).toBe('expected truncated, but the answer passed every check (196 completion tokens, a cap of 12)');
  });
});
