import { describe, expect, test } from 'vitest';
import { replyOf } from '../../test/support/read-reply.js';
import { anAnswerOf } from '../../test/support/build.js';
import { quirks } from './quirks.js';
import { readExchangeAnswer } from './read-answer.js';

describe('a plain answer', () => {
  const body = {
    id: 'c-1',
    object: 'chat.completion',
    created: 1,
    model: 'm-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };

  test('is read whole, without quirks', () => {
    const found = replyOf(readExchangeAnswer(anAnswerOf(JSON.stringify(body), 'application/json')));
    expect(found).toMatchObject({
      id: 'c-1',
      content: 'Hi',
      finish_reason: 'stop',
      ending: 'plain',
      choices: 1,
      quirks: [],
    });
    expect(found.usage).toEqual(body.usage);
  });

  const silent = {
    ...body,
    choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
  };
  const thought = { role: 'assistant', content: null, reasoning_content: 'Hm.' };
  test.each([
    ['none for a text', body, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, true],
    ['no number at all', body, { prompt_tokens: 9, total_tokens: 9 }, true],
    ['one', body, { prompt_tokens: 0, completion_tokens: 1, total_tokens: 1 }, false],
    ['none for nothing', silent, { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 }, false],
    [
      'reasoning in the total only',
      { ...body, choices: [{ index: 0, message: thought, finish_reason: 'length' }] },
      { prompt_tokens: 9, completion_tokens: 0, total_tokens: 20 },
      false,
    ],
  ])('whose usage counts %s', (_what, answer, usage, isQuirk) => {
    const found = replyOf(readExchangeAnswer(anAnswerOf(JSON.stringify({ ...answer, usage }), 'application/json')));
    expect(found.quirks.includes('usage_without_completion')).toBe(isQuirk);
  });

  test.each(['text/event-stream', 'application/octet-stream', 'text/plain'])('is read as %s too', (type) => {
    expect(replyOf(readExchangeAnswer(anAnswerOf(JSON.stringify(body), type))).quirks).toEqual(['content_type_wrong']);
  });

  test('may be preceded by a byte order mark and blank lines', () => {
    expect(
      replyOf(readExchangeAnswer(anAnswerOf(`\uFEFF\n\n  ${JSON.stringify(body)}`, 'application/json'))).content,
    ).toBe('Hi');
  });

  test.each([
    ['choices null', { ...body, choices: null }, 'choices is null'],
    ['choices empty', { ...body, choices: [] }, 'choices is empty'],
    ['choices missing', { id: 'x' }, 'no choices'],
    ['no message', { choices: [{ index: 0, text: 'legacy', finish_reason: 'stop' }] }, 'no message'],
    ['an empty list', [], 'an empty array'],
    ['a number', 5, 'a number'],
  ])('is malformed: %s', (_what, value, detail) => {
    const reading = readExchangeAnswer(anAnswerOf(JSON.stringify(value), 'application/json'));
    expect(reading).toMatchObject({ kind: 'malformed', detail: expect.stringContaining(detail) as string });
  });

  test.each([
    ['empty', '', 'empty'],
    ['bare newlines', '\n\r\n\n', 'empty'],
    ['a page', '<!DOCTYPE html><html><title>Sign in</title></html>', 'HTML page (Sign in)'],
    ['cut JSON', '{"id":"x","choices":[{', 'neither JSON'],
    ['JSON lines', '{"a":1}\n{"a":2}', 'a JSON object with other text behind it: {"a":2}'],
  ])('is malformed: %s', (_what, text, detail) => {
    const reading = readExchangeAnswer(anAnswerOf(text, 'application/json'));
    expect(reading).toMatchObject({ kind: 'malformed', detail: expect.stringContaining(detail) as string });
  });

  test.each([
    ['an object', { error: { message: 'x' } }],
    ['a bare string', { error: 'x' }],
    ['a list', [{ error: { message: 'x' } }]],
    ['next to valid choices', { ...body, error: { message: 'x' } }],
    ['base_resp', { base_resp: { status_code: 1008, status_msg: 'x' } }],
    ['code, message, data', { code: 20024, message: 'x', data: null }],
    ['detail', { detail: 'x' }],
    ['the JSON string', 'x'],
    ['inside the choice', { choices: [{ error: { code: 502, message: 'x' }, message: { content: '' } }] }],
    ['finish_reason error', { choices: [{ finish_reason: 'error', message: { content: 'half' } }] }],
    [
      'native_finish_reason',
      { choices: [{ finish_reason: 'stop', native_finish_reason: 'network_error', message: { content: '' } }] },
    ],
  ])('is an error: %s', (_what, value) => {
    expect(readExchangeAnswer(anAnswerOf(JSON.stringify(value), 'application/json')).kind).toBe('error');
  });

  test.each([
    { error: null },
    { error: {} },
    { error: '' },
    { error: { code: 0, message: '' } },
    { base_resp: { status_code: 0, status_msg: 'ok' } },
  ])('is not an error because of %j', (more) => {
    expect(readExchangeAnswer(anAnswerOf(JSON.stringify({ ...body, ...more }), 'application/json')).kind).toBe('reply');
  });

  test('does not reach a prototype', () => {
    const text =
      '{"choices":[{"message":{"role":"assistant","content":"Hi","__proto__":{"refusal":"no"}},"finish_reason":"stop"}],"__proto__":{"error":"x"}}';
    expect(replyOf(readExchangeAnswer(anAnswerOf(text, 'application/json')))).toMatchObject({
      content: 'Hi',
      refusal: null,
    });
    expect(({} as Record<string, unknown>)['error']).toBeUndefined();
  });

  test('lists its quirks', () => {
    const odd = {
      choices: [
        {
          message: {
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
            reasoning: 'r',
          },
          finish_reason: '',
        },
      ],
    };
    const found = replyOf(readExchangeAnswer(anAnswerOf(JSON.stringify(odd), 'application/json')));
    expect(found).toMatchObject({ content: 'ab', reasoning: 'r', finish_reason: null });
    expect(found.quirks).toEqual([
      ...['choice_index_missing', 'content_blocks', 'created_missing', 'finish_reason_empty_string'],
      ...['finish_reason_missing', 'id_missing', 'model_missing'],
      ...['object_unexpected', 'reasoning_field_named_reasoning', 'role_missing', 'usage_missing'],
    ]);
  });
});

test('explains every quirk', () => {
  for (const text of Object.values(quirks)) expect(text).toMatch(/^\S.*[.]$/);
});
