import { expect, test } from 'vitest';
import { kindsIn, requestParts } from './request-kind.js';

const order = { type: 'function', function: { name: 'order', parameters: { properties: { item: {} } } } };
const ping = { type: 'function', function: { name: 'ping' } };

test.each([
  [{}, []],
  [{ stream: false, response_format: { type: 'text' }, tools: [], parallel_tool_calls: true }, []],
  [{ stream: true }, ['stream: true']],
  [{ stream: true, stream_options: { include_usage: true } }, ['stream: true', 'stream_options: include_usage']],
  [{ messages: [{ role: 'user' }, { role: 'tool' }] }, ['a tool result among the messages']],
  [{ response_format: { type: 'json_object' } }, ['response_format: json_object']],
  [{ tools: [order] }, ['tools']],
  [{ tools: [order], tool_choice: 'auto' }, ['tools']],
  [{ tools: [order], tool_choice: 'required' }, ['tools', 'tool_choice: required']],
  [{ tools: [order], tool_choice: { type: 'function' } }, ['tools', 'tool_choice: a function']],
  [{ tools: [ping], parallel_tool_calls: false }, ['tools', 'a tool without parameters', 'parallel_tool_calls: false']],
])('%j asks for %j', (body, kind) => {
  expect(requestParts(JSON.stringify(body))).toEqual(kind);
});

test.each(['', 'no JSON', '[]', 'null'])('the text %j asks for nothing', (text) => {
  expect(requestParts(text)).toEqual([]);
});

test('each kind counts once, those that ask for little first', () => {
  expect(kindsIn([['a', 'b'], ['b'], ['c', 'a'], ['b'], []])).toEqual([[], ['b'], ['a', 'b'], ['c', 'a']]);
  expect(kindsIn([])).toEqual([]);
});
