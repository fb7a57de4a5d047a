import { expect, test } from 'vitest';
import { usageIn } from './usage.js';

test('reads the counts', () => {
  expect(
    usageIn({ prompt_tokens: 3, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 2 } }),
  ).toEqual({ prompt_tokens: 3, completion_tokens: 4, reasoning_tokens: 2, total_tokens: 7 });
});

test.each([Number.MAX_VALUE, 1e300, -5, '7', null, {}])('takes %j for no count, so that sums stay numbers', (value) => {
  expect(usageIn({ prompt_tokens: value, completion_tokens: value, total_tokens: value })).toEqual({
    ...{ prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, total_tokens: 0 },
  });
});
