import { expect, test } from 'vitest';
import { saysTheSame } from './same-answer.js';

test.each([
  ['sse_comments', 'Hello', 'Hello', true],
  ['sse_comments', 'Hm. Hello', 'Hello', false],
  ['think_tags_in_content', '<think>Hm.</think>Hello', 'Hello', true],
  ['tool_call_markup_in_content', '<tool_call> Hello', 'Hello', true],
  ['think_tags_in_content', '<think>Hm.</think>Goodbye', 'Hello', false],
  ['think_tags_in_content', '<think>Hm.</think>', '', false],
  ['arguments_object', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ['arguments_object', { a: 1 }, null, false],
])('%s: %j for %j', (quirk, value, right, same) => {
  expect(saysTheSame(quirk, value, right)).toBe(same);
});
