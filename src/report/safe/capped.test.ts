import { expect, test } from 'vitest';
import { capped, cappedAll } from './capped.js';

test('shows the beginning of a text, and says where all of it is, once', () => {
  expect(capped('x'.repeat(1000))).toBe('x'.repeat(1000));
  const cut = capped('x'.repeat(5_000_000));
  expect(cut).toBe(`${'x'.repeat(1000)}… (chatspec evidence shows all)`);
  expect(capped(cut)).toBe(cut);
  expect(capped('a😀b', 2, 'see the file')).toBe('a… (see the file)');
});

test('reaches every text of plain data', () => {
  const long = 'x'.repeat(2000);
  const cut = capped(long);
  expect(cappedAll({ a: [long, { b: long, c: null, d: 1 }] })).toEqual({ a: [cut, { b: cut, c: null, d: 1 }] });
});
