import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.js';
import type { Json } from './json.js';

test('equal values have one fingerprint, and others have others', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [same, text] = [JSON.parse(JSON.stringify(one)) as Json, JSON.stringify(one)];
      expect(fingerprint(same)).toBe(fingerprint(one as Json));
      if (text !== JSON.stringify(other)) expect(fingerprint(other as Json)).not.toBe(fingerprint(one as Json));
    }),
  );
});

test.each<readonly [Json, Json]>([
  ['ab', 'ba'],
  [['a', 'b'], ['ab']],
  [[], {}],
  [{ a: 'b' }, { ab: '' }],
  [{ a: [1] }, { a: [[1]] }],
  ['', null],
  [[['a'], 'b'], [['a', 'b']]],
  [{ messages: [{ content: `${'x'.repeat(5000)}a` }] }, { messages: [{ content: `${'x'.repeat(5000)}b` }] }],
])('%j is not %j', (one, other) => {
  expect(fingerprint(one)).not.toBe(fingerprint(other));
});

test('skips members of the value itself', () => {
  const skip = new Set(['stream']);
  expect(fingerprint({ a: 1, stream: true }, skip)).toBe(fingerprint({ a: 1 }, skip));
  expect(fingerprint({ a: { stream: true } }, skip)).not.toBe(fingerprint({ a: {} }, skip));
});
