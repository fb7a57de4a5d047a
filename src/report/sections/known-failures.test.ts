import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { knownFailures } from './known-failures.js';
import { reportNames } from './names.js';

const accepted = { verdict: 'fail', class: 'not_json', reason: null, status: 200, passed: 0, total: 3 } as const;
const noted = { ...accepted, date: '2026-11-17', note: 'asked the vendor', link: null, threshold: null };
const cell = (key: string, changes: object = {}) =>
  aReportCell({
    ...{ key, model: 't/m', verdict: 'fail', class: 'not_json', standing: 'as_expected', expected: noted },
    ...changes,
  });

test('accepted failures are numbered by why they were accepted; what is new or passes is none', () => {
  const cells = [
    cell('s/a@t/m'),
    cell('s/b@t/m', { expected: { ...noted, note: 'another' } }),
    cell('s/c@t/m'),
    cell('s/d@t/m', { standing: 'changed' }),
    cell('s/e@t/m', { expected: null, standing: 'new' }),
    cell('s/f@t/m', { expected: { ...noted, verdict: 'pass' } }),
  ];
  const report = aReport({ cells, models: [aReportModel('t/m')] });
  expect(
    knownFailures(report, reportNames(report)).map(({ number, note, day, cells: own }) => [number, note, day, own]),
  ).toEqual([
    [1, 'asked the vendor', '17 Nov', ['s/a@t/m', 's/c@t/m']],
    [2, 'another', '17 Nov', ['s/b@t/m']],
  ]);
});
