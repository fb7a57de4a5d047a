import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { acceptedAfter } from './strip.js';

const runs = ['2026-11-17', '2026-11-18', '2026-11-19'].map((day) => ({
  run: { started_at: `${day}T02:00:00.000Z` } as unknown as Parameters<typeof acceptedAfter>[1][number]['run'],
}));
const acceptedOn = (...dates: readonly (string | null)[]) =>
  dates.map((date) => aReportCell({ expected: { date } as unknown as ReportCell['expected'] }));

test.each([
  ['the day of a run', ['2026-11-17'], [[0, '2026-11-17']]],
  ['the day after the last', ['2026-11-25'], [[2, '2026-11-25']]],
  ['a day before the first', ['2026-11-16'], []],
  ['no day that is known', [null], []],
  [
    'two days',
    ['2026-11-18', '2026-11-17', '2026-11-18'],
    [
      [0, '2026-11-17'],
      [1, '2026-11-18'],
    ],
  ],
] as const)('a baseline accepted on %s stands behind the last run up to it', (_, dates, lines) => {
  expect([...acceptedAfter(acceptedOn(...dates), runs)]).toEqual(lines);
});
