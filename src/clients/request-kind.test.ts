import { describe, expect, test } from 'vitest';
import { leastKinds, requestKind, requestNeeded } from './request-kind.js';

const order = { type: 'function', function: { name: 'order', parameters: { properties: { item: {} } } } };
const ping = { type: 'function', function: { name: 'ping' } };

test.each([
  [{}, []],
  [{ stream: false, response_format: { type: 'text' }, tools: [], parallel_tool_calls: true }, []],
  [{ stream: true }, ['stream: true']],
  [{ response_format: { type: 'json_object' } }, ['response_format: json_object']],
  [{ tools: [order] }, ['tools']],
  [{ tools: [order], tool_choice: 'auto' }, ['tools']],
  [{ tools: [order], tool_choice: 'required' }, ['tools', 'tool_choice: required']],
  [{ tools: [order], tool_choice: { type: 'function' } }, ['tools', 'tool_choice: a function']],
  [{ tools: [ping], parallel_tool_calls: false }, ['tools', 'a tool without parameters', 'parallel_tool_calls: false']],
])('%j asks for %j', (body, kind) => {
  expect(requestKind(JSON.stringify(body))).toEqual(kind);
});

test.each(['', 'no JSON', '[]', 'null'])('the text %j asks for nothing', (text) => {
  expect(requestKind(text)).toEqual([]);
});

test('of requests those count that ask for no more than they must', () => {
  expect(leastKinds([['a', 'b'], ['b'], ['c', 'a'], ['b'], ['c', 'b']])).toEqual([['b'], ['c', 'a']]);
  expect(leastKinds([['a'], []])).toEqual([[]]);
  expect(leastKinds([])).toEqual([]);
});

describe('a request that would meet it', () => {
  const forced = ['tools', 'tool_choice: required'];
  test.each([
    ['a stream', [['stream: true']], [[]], 'a request with stream: true'],
    ['one of two', [['stream: true'], forced], [[]], `a request with stream: true, or with ${forced.join(' and ')}`],
    [
      'a plain text, where all is streamed',
      [[]],
      [['stream: true']],
      'a request without stream, tools and response_format',
    ],
    ['one that asks for less', [['stream: true']], [['stream: true', 'tools']], 'a request with stream: true only'],
    ['none where one of those sent is such a one', [[], forced], [['stream: true'], forced], null],
    ['none that is known', [], [[]], null],
  ])('is %s', (_name, kinds, sent, needed) => {
    expect(requestNeeded(kinds, sent)).toBe(needed);
  });
});
