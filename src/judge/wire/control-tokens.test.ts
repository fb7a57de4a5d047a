import { expect, test } from 'vitest';
import { holdsControlTokens } from './control-tokens.js';

test.each([
  ['Hello!<|im_end|>', true],
  ['<|assistant|>Hello!', true],
  ['<|start_header_id|>assistant<|end_header_id|>', true],
  ['Hello.<｜end▁of▁sentence｜>', true],
  ['[INST] Say more [/INST]', true],
  ['<<SYS>>be kind<</SYS>>', true],
  ['Hello<end_of_turn>', true],
  ...['bos', 'eos', 'pad', 'unk'].map((name): [string, boolean] => [`<${name}>Hello`, true]),
  ['<start_of_turn>Hello', true],
  [`<|${'x'.repeat(40)}|>`, true],
  [`<|${'x'.repeat(41)}|>`, false],
  ['[/TOOL_RESULTS]', true],
  ['~~~\n<|im_start|>user\n~~~', false],
  ['```\n<|im_start|>user', false],
  ['{"a": 1}<|endoftext|>', true],
  ['Hello!</s>', true],
  ['<s>Hello!', true],
  ['<s>old</s> new', false],
  ['a <s>half that is cut', false],
  ['ChatML ends a turn with `<|im_end|>`.', false],
  ['```\n<|im_start|>user\n```', false],
  ['x <| f |> g', false],
  ['a <|> b', false],
  ['a[INSTALL] b <system> c', false],
  // These announce a call, which is another quirk.
  ['<|tool_call_begin|>', false],
  ['<|channel|>final<|message|>Hello', true],
])('%j: %s', (text, holds) => {
  expect(holdsControlTokens(text, () => 'Say hello.')).toBe(holds);
});

test('what the request speaks of is no leak', () => {
  expect(holdsControlTokens('It is <|im_end|>.', () => 'Is it <|im_end|> or <|end|>?')).toBe(false);
  expect(holdsControlTokens('It is <|eot_id|>.', () => 'Is it <|im_end|> or <|end|>?')).toBe(true);
});
