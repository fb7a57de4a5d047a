import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeJsonText } from './escape.js';

test('escapes control and hidden characters', () => {
  expect(safeJsonText(['\u009b31m', '\u202e', '\u{e0041}', '\u007f'], 0)).toBe(
    String.raw`["\u009b31m","\u202e","\udb40\udc41","\u007f"]`,
  );
});

test('parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(JSON.parse(safeJsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
