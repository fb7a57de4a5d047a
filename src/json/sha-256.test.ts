import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha-256.js';

const byNode = (text: string): string => createHash('sha256').update(text).digest('hex');

test('is what node:crypto says, around the lengths of blocks and for every kind of character', () => {
  const lengths = [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 5000];
  for (const text of lengths.map((length) => 'x'.repeat(length))) expect(sha256(text)).toBe(byNode(text));
  for (const text of ['é', '漢字', '\u{1F642}', '\uD800', 'a\uDC00b', '\u0000'])
    expect(sha256(text)).toBe(byNode(text));
});

test('is what node:crypto says for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => sha256(text) === byNode(text)),
    { numRuns: 50 },
  );
});
