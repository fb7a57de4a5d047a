import { expect, test } from 'vitest';
import { writtenCall } from './tool-call-text.js';
import { readJsonText } from './wrapped-json.js';

const foundIn = (text: string) => writtenCall(text, () => readJsonText(text));

/** One text for each form, as its model writes it. */
const written: readonly (readonly [text: string, markup: string, name: string | null])[] = [
  ['<function=order>{"a":1}</function>', '<function=…>', 'order'],
  ['<function_calls><invoke name="order">', '<invoke name=…>', 'order'],
  ['<invoke name="order">', '<invoke name=…>', 'order'],
  ['<ns:invoke name="order">', '<invoke name=…>', 'order'],
  ['commentary to=functions.order <|constrain|>json', 'harmony channel tokens', 'order'],
  ['<|tool_call_begin|>functions.order:0<|tool_call_argument_begin|>', 'Kimi tool tokens', 'order'],
  ['<|tool_calls_section_begin|>', 'Kimi tool tokens', null],
  ['<｜tool▁call▁begin｜>function<｜tool▁sep｜>order', 'DeepSeek tool tokens', 'order'],
  ['<｜tool▁calls▁begin｜>', 'DeepSeek tool tokens', null],
  ['<｜DSML｜', 'DeepSeek tool tokens', null],
  ['[TOOL_CALLS] [{"name": "order", "arguments": {}}]', '[TOOL_CALLS]', 'order'],
  ['<|python_tag|>order.call(a=1)', '<|python_tag|>', null],
  ['<|channel|>analysis', 'harmony channel tokens', null],
  ['<tool_call>{"name":"order","arguments":{}}</tool_call>', '<tool_call>', 'order'],
  ['<|tool_calls|>', '<tool_call>', null],
  ['<function_call>{"name":"order","arguments":{}}', '<function_call>', 'order'],
  ['<tools> {"name":"order","arguments":{}}', '<tools>', 'order'],
  ['{"name":"order","arguments":{}}', 'JSON with name and arguments', 'order'],
];

test.each(written)('%s', (text, markup, name) => {
  for (const around of [text, `Let me see.\n${text}`]) expect(foundIn(around)).toEqual({ markup, name });
});

const inAnyCase = written.filter(([, markup]) => !markup.startsWith('[') && !markup.startsWith('JSON'));

test.each(inAnyCase)('%s in capital letters', (text, markup) => {
  expect(foundIn(text.toUpperCase())?.markup).toBe(markup);
});

test.each([
  'Hello.',
  'a < b',
  'x = 1',
  '<p>text</p>',
  '[tool_calls]',
  'the tool_call of functions.order',
  '{"a":1}',
  '',
])('no call: %s', (text) => {
  expect(foundIn(text)).toBeNull();
});
