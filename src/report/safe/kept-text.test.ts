import { expect, test } from 'vitest';
import { capped, reportExcerpt } from './capped.js';

test('keeps a text of any usual length whole', () => {
  expect(reportExcerpt('x '.repeat(2000))).toBe('x '.repeat(2000));
});

test('keeps the beginning of a longer one and says how much is missing, also where it is shown', () => {
  const text = 'word '.repeat(1_000_000);
  expect(reportExcerpt(text)).toBe(`${text.slice(0, 3999)}… (chatspec evidence shows all)`);
  expect(capped(reportExcerpt(text))).toBe(`${text.slice(0, 1000)}… (chatspec evidence shows all)`);
});

test('keeps no half of an address or a key, since it is redacted later', () => {
  const text = `${'x '.repeat(1995)}jane.doe@example.com`;
  expect(reportExcerpt(text)).toMatch(/x … \(chatspec evidence/);
});
