import { expect, test } from 'vitest';
import { addSpent, cachedShareOf, spentOn } from './cost.js';

const usage = (prompt_tokens: number, cached_tokens?: number) => ({
  ...{ prompt_tokens, completion_tokens: 10, reasoning_tokens: 0, total_tokens: prompt_tokens + 10 },
  ...(cached_tokens !== undefined && { cached_tokens }),
});

test.each([
  [[usage(1000), usage(1000, 900)], 900, 0.9],
  [[usage(1000, 250), usage(1000, 900), usage(500, 100)], 1250, 0.9],
  // Some services count the prompt without what was cached.
  [[usage(100, 900)], 900, 1],
  [[usage(1000)], undefined, undefined],
  [[usage(0, 5)], 5, undefined],
])('of %j: the sum of cached tokens, and the largest share', (answers, tokens, share) => {
  const spent = answers.map(spentOn).reduce(addSpent);
  expect(spent.usage.cached_tokens).toBe(tokens);
  expect(spent.requests).toBe(answers.length);
  expect(cachedShareOf(['c'], { spent: new Map([['c', spent]]) }).cached_share).toBe(share);
  expect(cachedShareOf(['other'], { spent: new Map([['c', spent]]) })).toEqual({});
});
