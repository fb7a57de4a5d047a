import { expect, test } from 'vitest';
import { dataTexts, plainTexts } from './literal-text.js';

test('marks what would begin a template, at any depth, and gives back the same texts', () => {
  const value = { a: ['{{name}}', '{{{x}}}', '{ {'], '{{key}}': 1, big: 10n ** 20n };
  const marked = dataTexts(value);
  expect(JSON.stringify(marked, (_, part: unknown) => (typeof part === 'bigint' ? 0 : part))).not.toMatch(
    /"[^"]*\{\{[^"]*"[,\]]/,
  );
  expect(plainTexts(marked)).toEqual(value);
  expect(plainTexts(value)).toBe(value);
});
