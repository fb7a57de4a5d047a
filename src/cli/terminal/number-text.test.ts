import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberText } from './io.js';

describe('numberText', () => {
  test.each([
    [0, 0, '0'],
    [999, 0, '999'],
    [1000, 0, '1,000'],
    [1_234_567, 0, '1,234,567'],
    [1234.5, 2, '1,234.5'],
    [0.125, 2, '0.13'],
    [-1234, 0, '-1,234'],
    [2.5, 0, '3'],
    [Infinity, 0, '∞'],
  ])('%d with at most %d digits is %s', (value, digits, text) => {
    expect(numberText(value, digits)).toBe(text);
  });

  test('groups as English does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (value) => {
        expect(numberText(value)).toBe(value.toLocaleString('en-US'));
      }),
    );
  });
});
