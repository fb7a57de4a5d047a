import { expect, test } from 'vitest';
import { aTicket } from '../../test/support/build.js';
import type { AcceptedCell } from './accepted-run.js';
import { resultOf } from './accepted-result.js';

type Curve = readonly (readonly [number, number, number])[];

/** What a baseline says of the values below a threshold of 32. */
function failsAt(below: Curve) {
  const curve: Curve = [...below, [32, 16, 16], [64, 1, 1]];
  const cell: AcceptedCell & { readonly verdict: 'pass' } = {
    ...{ key: aTicket().cell.key, model: 't/m', verdict: 'pass', class: null, reason: null, status: null },
    ...{
      trials: { total: 16, passed: 16 },
      threshold: { value: 32, curve },
      standing: 'new',
      unsettled: false,
      expected: null,
    },
  };
  return resultOf(cell, { kind: 'new' }).fails_at;
}

test.each<readonly [string, Curve, number | 'none' | undefined]>([
  ['nothing smaller was asked', [], undefined],
  ['the value just below failed, as all do', [[16, 0, 1]], undefined],
  [
    'it failed often, though a smaller one once passed',
    [
      [16, 1, 8],
      [28, 0, 3],
    ],
    undefined,
  ],
  [
    'it failed three times together with the one below it',
    [
      [8, 1, 8],
      [24, 0, 1],
      [28, 0, 2],
    ],
    undefined,
  ],
  [
    'it passes sometimes',
    [
      [8, 0, 3],
      [28, 5, 8],
    ],
    8,
  ],
  [
    'it failed with one text, and smaller ones pass nearly always',
    [
      [16, 5, 8],
      [24, 21, 22],
      [28, 0, 1],
    ],
    'none',
  ],
  [
    'the same, over one that fails',
    [
      [8, 0, 3],
      [16, 5, 8],
      [24, 21, 22],
      [28, 0, 1],
    ],
    8,
  ],
])('where a threshold fails outright below it: %s', (_, below, expected) => {
  expect(failsAt(below)).toBe(expected);
});
