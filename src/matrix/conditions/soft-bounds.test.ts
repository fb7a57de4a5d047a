import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import { conditionOf } from './condition.js';

type Curve = readonly (readonly [value: number, passed: number, total: number])[];

const cell = (n: string, passed: number, total: number) =>
  aReportCell({ point: { n }, verdict: passed === 0 ? 'fail' : 'pass', trials: { passed, total } });

/** A search of another capability of the model. */
const search = (curve: Curve) =>
  aReportCell({ probe: 'search', threshold: { value: 1408, last_failing: 1280, monotonic: true, curve } });

const soft: Curve = [
  [512, 0, 1],
  [832, 2, 4],
  [1024, 5, 8],
  [1280, 27, 34],
  [1408, 16, 16],
];
const sharp: Curve = [
  [512, 0, 1],
  [1280, 0, 2],
  [1408, 16, 16],
];

function said(curve: Curve, passes: number): string | undefined {
  const cells = [cell('256', 0, 5), cell('512', 0, 5), cell('1024', passes, passes), cell('2048', 3, 3)];
  const ofModel = [...cells, search(curve)];
  return conditionOf(cells, { ofModel, findAxes: new Map([[search(curve).key, 'n']]) })?.text;
}

test('a few passes at a value at which a search of the model passed at times are no proof', () => {
  expect(said(soft, 3)).toBe('n >= 1024; not known with n=1024');
  expect(said(soft, 10)).toBe('n >= 1024');
  expect(said(sharp, 3)).toBe('n >= 1024');
});

test('nothing is left open where the condition is about another axis', () => {
  const cells = ['x', 'y'].map((a) =>
    aReportCell({
      point: { n: '1024', a },
      verdict: a === 'x' ? 'fail' : 'pass',
      trials: { passed: a === 'x' ? 0 : 3, total: a === 'x' ? 10 : 3 },
    }),
  );
  const ofModel = [...cells, search(soft)];
  const findAxes = new Map([[search(soft).key, 'n']]);
  expect(conditionOf(cells, { ofModel, findAxes })?.text).toBe('only with a=y');
});
