import { expect, test } from 'vitest';
import { servedChanges } from './served-changes.js';

const before = { served: ['m-10', 'm-10-fast'], fingerprints: ['fp_a', 'fp_b'] };

test('names of which none is left are news, and so are fingerprints', () => {
  expect(servedChanges(before, { served: ['m-11'], fingerprints: ['fp_a'] })).toEqual([
    { field: 'model', before: ['m-10', 'm-10-fast'], now: ['m-11'] },
  ]);
  expect(servedChanges(before, { served: ['m-10'], fingerprints: ['fp_c', 'fp_d'] })).toEqual([
    { field: 'system_fingerprint', before: ['fp_a', 'fp_b'], now: ['fp_c', 'fp_d'] },
  ]);
});

test('another name stays news for a week, unless the old one comes back', () => {
  const swap = { field: 'model', before: ['m-10'], now: ['m-11'], at: '2026-11-21T03:00:00.000Z' } as const;
  const then = { served: ['m-11'], fingerprints: [], swap };
  const on = (day: string, served: readonly string[]) =>
    servedChanges(then, { served, fingerprints: [] }, `2026-11-${day}T03:00:00.000Z`);
  expect(on('23', ['m-11'])).toEqual([swap]);
  expect(on('28', ['m-11'])).toEqual([swap]);
  expect(on('29', ['m-11'])).toEqual([]);
  expect(on('23', ['m-10', 'm-11'])).toEqual([]);
  expect(on('23', ['m-12'])).toEqual([{ field: 'model', before: ['m-11'], now: ['m-12'] }]);
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
