import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countTokens, cutTokens, tokenize } from './tokens.js';

describe('tokens', () => {
  test('joins back to the text, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokenize(text).join('')).toBe(text);
      }),
    );
  });

  test('never cuts a code point in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, count) => {
        expect(text.startsWith(cutTokens(text, count))).toBe(true);
        expect(cutTokens(text, count).isWellFormed()).toBe(true);
      }),
    );
  });

  test('takes about four letters for a token', () => {
    expect(tokenize('Extract the invoice.')).toEqual(['Extr', 'act', ' the', ' invo', 'ice', '.']);
    expect(countTokens('')).toBe(0);
  });
});
