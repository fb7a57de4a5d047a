import { expect, test } from 'vitest';
import { writtenCall } from './read-call.js';
import { readJsonText } from './wrapped-json.js';

const foundIn = (text: string, names: readonly string[] = ['order']) =>
  writtenCall(text, () => readJsonText(text), names);

/** One text for each form, as its model writes it. */
test.each([
  '<function=order>{"a":1}</function>',
  '<function_calls><invoke name="order">',
  '<ns:invoke name="order">',
  'commentary to=functions.order <|constrain|>json',
  '<|tool_call_begin|>functions.order:0<|tool_call_argument_begin|>',
  '<｜tool▁call▁begin｜>function<｜tool▁sep｜>order',
  '[TOOL_CALLS] [{"name": "order", "arguments": {}}]',
  '<tool_call>{"name":"order","arguments":{}}</tool_call>',
  '<tools> {"name":"order","arguments":{}}',
  '{"name":"order","arguments":{}}',
])('a call of a declared function: %s', (text) => {
  for (const around of [text, `Let me see.\n${text}`]) expect(foundIn(around)?.isSure).toBe(true);
});

test.each([
  '<|tool_calls_section_begin|>',
  '<｜tool▁calls▁begin｜>',
  '<｜DSML｜',
  '<|python_tag|>order.call(a=1)',
  '<|tool_calls|>',
])('tokens that no text contains by chance: %s', (text) => {
  expect(foundIn(text, [])?.isSure).toBe(true);
});

test.each(['<|channel|>analysis', '<tool_call>', '{"name":"cancel","arguments":{}}'])('markup alone: %s', (text) => {
  expect(foundIn(text)).toMatchObject({ isSure: false });
});

test.each(['Hello.', 'a < b', 'x = 1', '<p>text</p>', 'the tool_call of an order', '{"a":1}', ''])(
  'no call: %s',
  (text) => {
    expect(foundIn(text)).toBeNull();
  },
);
