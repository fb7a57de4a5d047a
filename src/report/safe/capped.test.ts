import { expect, test } from 'vitest';
import { capped, cappedAll } from './capped.js';

test('shows the beginning of a text, and says how much is left out and where it is', () => {
  expect(capped('x'.repeat(1000))).toBe('x'.repeat(1000));
  expect(capped('x'.repeat(5_000_000))).toBe(
    `${'x'.repeat(1000)}… (4,999,000 characters more; chatspec evidence shows all)`,
  );
  expect(capped('a😀b', 2, 'see the file')).toBe('a… (3 characters more; see the file)');
});

test('reaches every text of plain data', () => {
  const long = 'x'.repeat(2000);
  const cut = capped(long);
  expect(cappedAll({ a: [long, { b: long, c: null, d: 1 }] })).toEqual({ a: [cut, { b: cut, c: null, d: 1 }] });
});
