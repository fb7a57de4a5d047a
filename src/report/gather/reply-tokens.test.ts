import { expect, test } from 'vitest';
import { usageIn } from './answer-times.js';

test.each([
  [{ prompt_tokens: 3, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 2 } }, [3, 4, 2, 7]],
  [{ input_tokens: 3, output_tokens: 4, output_tokens_details: { reasoning_tokens: 2 } }, [3, 4, 2, 7]],
  [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 20 }, [3, 4, 0, 20]],
])('reads the counts of %j', (usage, [prompt_tokens, completion_tokens, reasoning_tokens, total_tokens]) => {
  expect(usageIn({ usage })).toEqual({ prompt_tokens, completion_tokens, reasoning_tokens, total_tokens });
});

test.each([Number.MAX_VALUE, 1e300, -5, '7', null, {}])(
  'does not take %j for a count, so that sums stay numbers',
  (value) => {
    expect(usageIn({ usage: { prompt_tokens: value, completion_tokens: value, total_tokens: value } })).toEqual({
      ...{ prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, total_tokens: 0 },
    });
  },
);
