import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.js';
import { tokenUse } from './token-use.js';

test.each<readonly [string, JsonObject, object]>([
  ['whole numbers', { prompt_tokens: 9, completion_tokens: 0 }, { prompt: 9, completion: 0 }],
  ['parts of tokens', { prompt_tokens: 9.2, completion_tokens: 1e-300 }, { prompt: 10, completion: 1 }],
  ['negative numbers', { prompt_tokens: -9, total_tokens: -0.5 }, { prompt: null, total: null }],
  ['numbers beyond any window', { prompt_tokens: 1e300, total_tokens: 10_000_001 }, { prompt: null, total: null }],
  ['what is no number', { prompt_tokens: 'NaN', completion_tokens: { value: 9 } }, { prompt: null, completion: null }],
  ['details', { completion_tokens_details: { reasoning_tokens: 3.5 } }, { reasoning: 4 }],
  ['details that are none', { completion_tokens_details: [9], reasoning_tokens: -1 }, { reasoning: null }],
])('counts whole tokens that can be true, of %s', (_, usage, use) => {
  expect(tokenUse({ usage })).toMatchObject(use);
});
