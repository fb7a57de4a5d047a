import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../json/json.js';
import { outputCap, tokenUse } from './tokens.js';

test.each<[Json, number | null]>([
  [{ max_tokens: 5 }, 5],
  [{ max_completion_tokens: 7, max_tokens: 5 }, 7],
  [{ max_output_tokens: 9 }, 9],
  [{ max_new_tokens: 3 }, 3],
  [{ max_tokens: 0 }, null],
  [{ max_tokens: -1 }, null],
  [{ max_tokens: '5' }, null],
  [{}, null],
  [null, null],
])('the cap of %j is %j', (body, cap) => {
  expect(outputCap(body, { max_tokens: 'max_new_tokens' })).toBe(cap);
});

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

test.each<[JsonObject, number | null]>([
  [{ prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 5 } }, 5],
  [{ input_tokens: 9, input_tokens_details: { cached_tokens: 5 } }, 5],
  [{ prompt_tokens: 9, prompt_cache_hit_tokens: 5, prompt_cache_miss_tokens: 4 }, 5],
  [{ prompt_tokens: 9, cache_read_input_tokens: 5 }, 5],
  [{ prompt_tokens: 9, cached_tokens: 5 }, 5],
  [{ prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } }, 0],
  [{ prompt_tokens: 9, prompt_tokens_details: null }, null],
  [{ prompt_tokens: 9, cached_tokens: 'many' }, null],
])('cached tokens of %j: %s', (usage, cached) => {
  expect(tokenUse({ usage }).cached).toBe(cached);
});
