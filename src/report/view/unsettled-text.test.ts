import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import type { ExpectedCell, ReportCell } from '../../matrix/report-format.js';
import { unsettledText } from './unsettled-text.js';

const expectedTo = (verdict: 'pass' | 'fail'): ExpectedCell => ({
  ...{ verdict, class: null, reason: null, status: null, passed: null, total: null, date: null, note: null },
  ...{ link: null, threshold: null, trials: 1 },
});
const known = (passed: number, total: number, before: { passed: number; total: number }) => ({
  ...{ since: 'pass, 1', passed, total, before },
});
const text = (cell: Partial<ReportCell>, trials: { passed: number; total: number }) =>
  unsettledText(aReportCell({ standing: 'as_expected', unsettled: true, ...cell, trials }));

test('says from how many trials a cell was known, and what it does now', () => {
  const cell = { expected: expectedTo('pass'), known: known(5, 8, { passed: 1, total: 1 }) };
  expect(text(cell, { passed: 4, total: 7 })).toBe('known from 1 trial; 4 of 7 now');
});

test('adds what was learned in between, and what to do once it is decided', () => {
  const cell = { expected: expectedTo('pass'), known: known(10, 14, { passed: 6, total: 7 }) };
  expect(text(cell, { passed: 4, total: 7 })).toBe(
    'known from 1 trial and 6 since then; 4 of 7 now, 10 of 14 in all; it is flaky: accept it, so that its rate is known',
  );
});

test('says that a cell may have been lucky', () => {
  const cell = {
    standing: 'regression',
    drop: { passed: 42, total: 60 },
    expected: { ...expectedTo('pass'), trials: 10 },
  };
  expect(text(cell as Partial<ReportCell>, { passed: 42, total: 61 })).toBe(
    'looks like a regression, 42 of 60 now; it may have been lucky in the 10 trials from which it was accepted, so the alarm waits for more',
  );
});

test('says that a cell may have been unlucky', () => {
  const expected = { ...expectedTo('pass'), verdict: 'flaky', passed: 5, total: 9 } as const;
  expect(text({ standing: 'improvement', passes_in_a_row: 60, expected }, { passed: 61, total: 61 })).toBe(
    'looks like an improvement, 60 passes in a row; it may have been unlucky in the 9 trials from which it was accepted, so the alarm waits for more',
  );
});

test('says why a cell is new although nobody added it', () => {
  const cell = { standing: 'new', surprise: 'confirmed' } as const;
  expect(text(cell, { passed: 1, total: 4 })).toBe(
    'new, because a need of it failed when the baseline was accepted; accept it once the need is known',
  );
});

test('says of a new cell that fails sometimes what it did, not what it looks like', () => {
  const cell = { standing: 'new', surprise: 'unsettled' } as const;
  expect(text(cell, { passed: 1, total: 4 })).toBe(
    'new; 1 of 4 trials passed, and it is not settled whether that is chance',
  );
});

test('counts the passes of a cell that is expected to fail', () => {
  const cell = { expected: expectedTo('fail'), known: known(3, 8, { passed: 0, total: 1 }) };
  expect(text(cell, { passed: 3, total: 7 })).toBe('known to fail from 1 trial; 3 of 7 pass now');
});

test.each([
  ['regression', 'looks like a regression'],
  ['changed', 'looks changed'],
  ['improvement', 'looks like an improvement'],
  ['as_expected', 'it is not settled whether it has changed'],
] as const)('says of any other standing (%s) what it looks like, in words', (standing, words) => {
  const cell = standing === 'as_expected' ? {} : { known: known(1, 2, { passed: 1, total: 1 }) };
  expect(text({ ...cell, standing }, { passed: 0, total: 1 })).toBe(words);
});
