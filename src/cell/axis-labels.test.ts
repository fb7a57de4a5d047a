import { expect, test } from 'vitest';
import { axesNamedIn, withLabels } from './axis-labels.js';

const labels = { stream: 'true', 'top_logprobs.n': '5', empty: '' };

test.each([
  ['no axis', 'no axis', []],
  ['stream.{{stream}}', 'stream.true', ['stream']],
  ['{{ stream }} and {{stream}}', 'true and true', ['stream', 'stream']],
  ['{{top_logprobs.n}}{{empty}}', '5', ['top_logprobs.n', 'empty']],
  ['{{other}} {{constructor}}', '{{other}} {{constructor}}', ['other', 'constructor']],
  ['{{}} {{two words}} {stream}', '{{}} {{two words}} {stream}', []],
])('%s', (text, filled, axes) => {
  expect(withLabels(text, labels)).toBe(filled);
  expect(axesNamedIn(text)).toEqual(axes);
});
