import { expect, test } from 'vitest';
import { promptCache } from './prompt-cache.js';

/** A prompt that begins with so many tokens, and goes on with another text. */
const bodyOf = (tokens: number, rest: string) => ({
  messages: [{ role: 'user', content: 'abcd'.repeat(tokens) + rest }],
});

test.each([
  [1100, 1024],
  [1200, 1152],
  [1000, 0],
])('of a beginning of %i tokens, %i are kept, in blocks', (tokens, cached) => {
  const cache = promptCache();
  expect(cache('m', bodyOf(tokens, 'a'.repeat(400)))).toBe(0);
  expect(cache('m', bodyOf(tokens, 'b'.repeat(400)))).toBe(cached);
  expect(cache('other', bodyOf(tokens, 'b'.repeat(400)))).toBe(0);
});
