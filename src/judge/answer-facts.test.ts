import { expect, test } from 'vitest';
import { anExchange } from '../../test/support/build.js';
import { answerFacts } from './answer-facts.js';

const chunk = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const timed = (body: readonly string[], pieces_ms?: readonly number[]) => {
  const exchange = anExchange({}, { headers: { 'x-request-id': 'r' }, body });
  return { ...exchange, timing: { ...exchange.timing, ...(pieces_ms && { pieces_ms }) } };
};

test('of a stream: chunks in their order, each with the time of the piece that ended it', () => {
  const role = chunk({ role: 'assistant', content: '' });
  const [begin, end] = [chunk({ content: 'b' }).slice(0, 9), chunk({ content: 'b' }).slice(9)];
  const body = [
    `\uFEFF: hi\n\n${role}`,
    `${chunk({ content: 'a' })}${begin}`,
    end,
    'data: not JSON\n\n',
    'data: [DONE]\n\n',
  ];
  const { chunks, timing, body: none } = answerFacts(timed(body, [5, 10, 20, 30, 40]), true);
  expect(chunks).toMatchObject([
    { at_ms: 5, choices: [{ delta: { role: 'assistant' } }] },
    { at_ms: 10, choices: [{ delta: { content: 'a' } }] },
    { at_ms: 20, choices: [{ delta: { content: 'b' } }] },
    { at_ms: 30, data: 'not JSON' },
  ]);
  expect(timing).toEqual({ headers_ms: 20, first_content_ms: 10, last_content_ms: 20, total_ms: 30 });
  expect(none).toBeUndefined();
});

test('times that nobody kept are null', () => {
  const { chunks, timing } = answerFacts(timed([chunk({ content: 'a' })]), true);
  expect(chunks).toMatchObject([{ at_ms: null }]);
  expect(timing).toEqual({ headers_ms: 20, first_content_ms: null, last_content_ms: null, total_ms: 30 });
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['a text', 'a text'],
])('of a plain answer: its body %s', (text, body) => {
  expect(answerFacts(timed([text]), false)).toEqual({
    status: 200,
    headers: { 'x-request-id': 'r' },
    body,
    timing: { headers_ms: 20, first_content_ms: null, last_content_ms: null, total_ms: 30 },
  });
});
