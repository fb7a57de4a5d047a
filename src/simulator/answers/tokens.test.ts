import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countTokens, cutTokens, tokenize } from './tokens.js';

describe('tokens', () => {
  test('join to the original text, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokenize(text).join('')).toBe(text);
      }),
    );
  });

  test('never split a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, count) => {
        expect(text.startsWith(cutTokens(text, count))).toBe(true);
        expect(cutTokens(text, count).isWellFormed()).toBe(true);
      }),
    );
  });

  test('have about four letters each', () => {
    expect(tokenize('Extract the invoice.')).toEqual(['Extr', 'act', ' the', ' invo', 'ice', '.']);
    expect(countTokens('')).toBe(0);
  });
});
