import { expect, test } from 'vitest';
import { excerpt } from './excerpt.js';

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['write to li.lei@example.com now', 20, 'write to …'],
  ['the key sk-0123456789abcdef', 16, 'the key …'],
  ['call 13800138000, then', 17, 'call 13800138000…'],
  ['请联系李雷，电话在下面', 6, '请联系李雷…'],
  ['x'.repeat(50), 10, '…'],
])('%j in %i characters', (text, most, shown) => {
  expect(excerpt(text, most)).toBe(shown);
});
