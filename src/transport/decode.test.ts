import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textReader } from './decode.js';

/** Texts, marks and bytes that are no UTF-8, in any order. */
const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }).map((text) => Buffer.from(text)),
      fc.constantFrom('\uFEFF', '中', '😀', 'plain').map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }).map((soup) => Buffer.from(soup)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts));

function piecesOf(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((one, other) => one - other), whole.length];
  return places.slice(1).map((end, index) => whole.subarray(places[index], end));
}

function isInvalid(whole: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(whole);
    return false;
  } catch {
    return true;
  }
}

test('text is decoded as if it had come in one piece, wherever it was cut', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(40), { maxLength: 5 }), (whole, cuts) => {
      const reader = textReader('application/json');
      const text = piecesOf(whole, cuts).map((piece) => reader.write(piece));
      expect(`${text.join('')}${reader.end()}`).toBe(new TextDecoder().decode(whole));
      expect(reader.invalid()).toBe(isInvalid(whole));
    }),
    { numRuns: 2000 },
  );
});
