import { describe, expect, test } from 'vitest';
import { readAnswer, retryAfterOf } from './read-answer.js';

const completion = {
  id: 'a',
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
};
const text = JSON.stringify(completion);

describe('an answer as it was read, in the forms that the judge takes', () => {
  test.each([
    ['in pieces', { status: 200, headers: {}, body: [text], failure: null }],
    ['as text', { status: 200, headers: {}, body: text }],
    ['as JSON', { status: 200, headers: {}, body: completion }],
    ['without headers', { status: 200, body: text }],
  ])('%s', (_, answer) => {
    expect(readAnswer(answer)).toMatchObject({ reply: { content: 'Hello' } });
  });

  test('with a wait in headers of any kind or in the body', () => {
    const waits = [
      { status: 429, headers: { 'Retry-After': '7' }, body: 'x' },
      { status: 429, headers: new Headers({ 'retry-after': '7' }), body: '' },
      new Response('', { status: 429, headers: { 'retry-after': '7' } }),
    ];
    expect(waits.map((answer) => retryAfterOf(answer))).toEqual([7, 7, 7]);
  });
});

test('says what to do with a response whose body nobody has read, and with what is no answer', () => {
  expect(() => readAnswer(new Response(text) as never)).toThrow('{ status, headers, body: await response.text() }');
  expect(() => readAnswer({ choices: [] } as never)).toThrow('an answer is { status, headers, body }');
});
