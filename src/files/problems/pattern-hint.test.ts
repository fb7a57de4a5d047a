import { expect, test } from 'vitest';
import { patternHint } from './nearest.js';

const keys = [
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `chat/plain@demo/model-${name}`),
  'chat/stream@demo/model-a',
  'tool-choice/order[tool_choice=auto,size=few]@demo/model-a',
  'tool-choice/order[tool_choice=object,size=many]@demo/model-a',
  'tool-choice/order[tool_choice=object,size=many]@other/gpt-4o',
];
const hint = (text: string): string => patternHint(text, { keys, where: 'the run', command: 'chatspec list' }) ?? '';

test.each([
  ['chat/plane', 'did you mean "chat/plain"?'],
  ['plain', 'did you mean "chat/plain"?'],
  ['chat', 'did you mean "chat/*"?'],
  ['tool-choice/order[tool_choice=objct,size=many]', 'did you mean "tool-choice/order[tool_choice=object,size=many]"?'],
  ['tool-choice/order@other/gpt4o', 'did you mean "tool-choice/order@other/gpt-4o"?'],
  // What is right of a pattern makes what is wrong look no nearer.
  ['tool-choice/order@demo/llama-*', 'the models that have it:\n      demo/model-a\n      other/gpt-4o'],
  ['zzzzz/zzzzzz', 'the probes of the run:\n      chat/plain\n      chat/stream\n      tool-choice/order'],
  [
    'chat/plain@zzzz',
    'the models that have it:\n      demo/model-a\n      demo/model-b\n      demo/model-c\n      demo/model-d\n      demo/model-e\n      and 2 more: chatspec list',
  ],
])('%s: %s', (text, expected) => {
  expect(hint(text)).toBe(expected);
});

test('is nothing where there are no cells', () =>
  expect(patternHint('a/b', { keys: [], where: 'the run', command: '' })).toBeUndefined());
