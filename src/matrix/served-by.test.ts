import { expect, test } from 'vitest';
import { answeredByOthers, servedChanges } from './served-by.js';

test.each([
  ['its own name', 'vendor/big', { big: 4 }, null],
  ['a dated version of it', 'big', { 'big-2026-05-01': 4 }, null],
  ['the name of which its id is a version', 'big-2026-05-01', { big: 4 }, null],
  ["another model's", 'big', { small: 4 }, { names: [{ name: 'small', answers: 4 }], answers: 4 }],
  ['its own and another', 'big', { big: 28, ok: 12 }, { names: [{ name: 'ok', answers: 12 }], answers: 40 }],
  [
    'two versions',
    'big',
    { 'big-1': 1, 'big-2': 3 },
    {
      names: [
        { name: 'big-2', answers: 3 },
        { name: 'big-1', answers: 1 },
      ],
      answers: 4,
    },
  ],
  ['none', 'big', {}, null],
])('answers that carry %s', (_, id, counts, told) => {
  expect(answeredByOthers(id, counts)).toEqual(told);
});

test('a change of who answers is told only where no name is left', () => {
  const before = { served: ['a', 'b'], fingerprints: ['f1'] };
  expect(servedChanges(before, { served: ['b', 'c'], fingerprints: ['f1', 'f2'] })).toEqual([]);
  expect(servedChanges(before, { served: ['c'], fingerprints: [] })).toEqual([
    { field: 'model', before: ['a', 'b'], now: ['c'] },
  ]);
  expect(servedChanges(before, { served: ['a'], fingerprints: ['f2'] })).toMatchObject([
    { field: 'system_fingerprint' },
  ]);
  expect(servedChanges(undefined, before)).toEqual([]);
});
