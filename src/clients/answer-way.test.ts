import { expect, test } from 'vitest';
import { nothingLearned } from '../judge/outcome.js';
import { wayOfAnswer } from './answer-way.js';

const wayOf = ({ body = '{}', contentType = 'application/json', ending = 'end', ...outcome }) =>
  wayOfAnswer({ outcome: { ...nothingLearned, status: 200, ...outcome }, body, contentType, ending });

const text = '{"id":"a","choices":[{"message":{"content":"one"}}]}';
const missing = {
  class: 'schema_violation',
  flaw: 'required',
  violations: [{ at: '/total', message: '', keyword: 'required' }],
};
const called = (name: string) => ({ class: 'wrong_function', reply: { tool_calls: [{ name }] } });
const stream = (...chunks: string[]) => ({ body: chunks.map((chunk) => `data: ${chunk}\n\n`).join('') });

test.each<[string, object, object, boolean]>([
  ['what is said differs', { body: text }, { body: text.replace('one', 'two') }, true],
  ['the text is empty', { body: text }, { body: text.replace('one', '') }, false],
  ['a field is null', { body: text }, { body: text.replace('"one"', 'null') }, false],
  ['a field is missing', { body: text }, { body: text.replace('"id":"a",', '') }, false],
  ['a list is empty', { body: text }, { body: '{"id":"a","choices":[]}' }, false],
  ['the content type differs', {}, { contentType: 'text/html' }, false],
  ['only the charset differs', {}, { contentType: 'application/json; charset=utf-8' }, true],
  ['the connection breaks', {}, { ending: 'reset' }, false],
  ['another refusal of one status', { status: 429, body: '{"error":1}' }, { status: 429, body: '<p>' }, true],
  ['another reason', { status: 429, reason: 'quota' }, { status: 429, reason: 'rate_limited' }, false],
  ['another status', { status: 500 }, { status: 503 }, false],
  ['another flaw', missing, { ...missing, flaw: 'encoded_twice' }, false],
  ['another keyword', missing, { ...missing, violations: [{ ...missing.violations[0], keyword: 'type' }] }, false],
  ['the whole value', missing, { ...missing, violations: [{ ...missing.violations[0], at: '' }] }, false],
  ['another member', missing, { ...missing, violations: [{ ...missing.violations[0], at: '/id' }] }, true],
  ['another function', called('a'), called('b'), false],
  ['a function in an answer that is right', { ...called('a'), class: null }, { ...called('b'), class: null }, true],
  ['more chunks of one kind', stream('{"a":1}'), stream('{"a":1}', '{"a":2}'), true],
  ['another kind of chunk', stream('{"a":1}'), stream('{"a":1}', '{"b":2}'), false],
  ['a line that is no chunk', stream('{"a":1}'), { body: ': wait\n\ndata: {"a":1}\n\n' }, false],
])('%s', (_name, one, other, same) => {
  expect(wayOf(one) === wayOf(other)).toBe(same);
});
