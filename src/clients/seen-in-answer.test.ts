import { expect, test } from 'vitest';
import { aCompletion } from '../../test/support/build.js';
import { good, tools } from '../../test/support/orders.js';
import type { JsonObject } from '../json/json.js';
import { answersAlike, seenInAnswer } from './seen-in-answer.js';

const messages = [{ role: 'user', content: 'Order.' }];
const request = JSON.stringify({ model: 'm', messages, tools, tool_choice: 'required' });

const seenAll = (message: JsonObject, finish: string) => {
  const body = Buffer.from(aCompletion({ message, finish }));
  return seenInAnswer({ request, status: 200, headers: {}, body, complete: true, ending: 'end' });
};

const seen = (message: JsonObject, finish: string) => {
  const { class: own, value, quirks } = seenAll(message, finish);
  return { class: own, value, quirks };
};

test('a call in the retired field alone is the right answer in an odd form', () => {
  const order = { name: 'create_order', arguments: good };
  const value = { buyer: 'Li Lei', total: 897 };
  for (const finish of ['function_call', 'tool_calls', 'stop']) {
    expect(seen({ content: null, function_call: order }, finish)).toEqual({
      ...{ class: null, value, quirks: ['legacy_function_call'] },
    });
  }
});

test('a wrong call there stays wrong, and text in place of a call is a missing call', () => {
  const wrong = { name: 'create_order', arguments: '{}' };
  expect(seen({ content: null, function_call: wrong }, 'function_call').class).toBe('schema_violation');
  expect(seen({ content: 'Done.' }, 'stop').class).toBe('missing_tool_call');
});

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
  expect(answersAlike(quirk, { value, calls: [] }, { value: right, calls: [] })).toBe(same);
});

const [lamp, desk] = [{ item: 'lamp' }, { item: 'desk' }];
test.each([
  ['the call', [lamp], [lamp], true],
  ['the call twice', [lamp, lamp], [lamp], true],
  ['both in another order', [desk, lamp], [lamp, desk], true],
  ['another call', [desk], [lamp], false],
  ['another call beside it', [lamp, desk], [lamp], false],
  ['one of two', [lamp], [lamp, desk], false],
  ['one of two twice', [lamp, lamp], [lamp, desk], false],
  ['no call', [], [lamp], false],
  ['a call for a text', [lamp], [], false],
])('%s says the same', (_name, calls, right, same) => {
  const value = calls[0] ?? 'text';
  expect(answersAlike('tool_calls_several', { value, calls }, { value: right[0] ?? 'text', calls: right })).toBe(same);
});

test('holds the arguments of every call, and text that is no JSON as it is', () => {
  const call = (id: string, args: string) => ({
    id,
    type: 'function',
    function: { name: 'create_order', arguments: args },
  });
  const calls = [call('a', good), call('b', ''), call('c', '{"bu')];
  const { calls: held } = seenAll({ content: null, tool_calls: calls }, 'tool_calls');
  expect(held).toEqual([{ buyer: 'Li Lei', total: 897 }, {}, '{"bu']);
});
