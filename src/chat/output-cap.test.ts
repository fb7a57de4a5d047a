import { expect, test } from 'vitest';
import type { Json } from '../json/json.js';
import { outputCap } from './output-cap.js';

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
