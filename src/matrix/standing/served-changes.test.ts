import { expect, test } from 'vitest';
import { servedChanges } from './report-wire.js';

const before = { served: ['m-10', 'm-10-fast'], fingerprints: ['fp_a', 'fp_b'] };

test('names of which none is left are news, and so are fingerprints', () => {
  expect(servedChanges(before, { served: ['m-11'], fingerprints: ['fp_a'] })).toEqual([
    { field: 'model', before: ['m-10', 'm-10-fast'], now: ['m-11'] },
  ]);
  expect(servedChanges(before, { served: ['m-10'], fingerprints: ['fp_c', 'fp_d'] })).toEqual([
    { field: 'system_fingerprint', before: ['fp_a', 'fp_b'], now: ['fp_c', 'fp_d'] },
  ]);
});

test.each([
  ['nothing changed', before],
  ['one of them is gone', { served: ['m-10-fast'], fingerprints: ['fp_b'] }],
  ['one came beside them', { served: ['m-10', 'm-12'], fingerprints: ['fp_c', 'fp_b'] }],
  ['the service no longer sends them', { served: [], fingerprints: [] }],
])('no news where %s', (_, now) => {
  expect(servedChanges(before, now)).toEqual([]);
});

test('no news without a run before, or where it knew none', () => {
  expect(servedChanges(undefined, before)).toEqual([]);
  expect(servedChanges({ served: [], fingerprints: [] }, before)).toEqual([]);
});

test('a fingerprint that is another one in every answer names no version', () => {
  const each = (night: string) => Array.from({ length: 20 }, (_, index) => `fp_${night}${index}`);
  const named = (fingerprints: readonly string[]) => ({ served: ['m-10'], fingerprints });
  expect(servedChanges(named(each('a')), named(each('b')))).toEqual([]);
  expect(servedChanges(named(each('a')), named(['fp_c']))).toEqual([]);
  expect(servedChanges(named(['fp_c']), named(each('a')))).toEqual([]);
});
