import { expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../../test/support/build.js';
import type { ReportCell } from '../../../matrix/report-format.js';
import { baselineKnown } from './baseline-known.js';

const cellKnownFrom = (trials: number, date: string | null): ReportCell =>
  aReportCell({
    standing: 'as_expected',
    expected: { kind: 'pass', trials, date, verdict: null } as unknown as ReportCell['expected'],
  });
const sentence = (...cells: readonly ReportCell[]): string => baselineKnown(aReport({ cells })).sentence;

test('one cell and one trial are spoken of in the singular', () => {
  const one = sentence(cellKnownFrom(1, '2026-11-20'));
  expect(one).toMatch(/^Compared with a baseline that covers .* provisionally, from 1 trial \(/);
  expect(one).toMatch(/ \(accepted on 2026-11-20\)$/);
  expect(one).not.toMatch(/them|cells|trials|1 of 1/);
});

test('several are spoken of in the plural', () => {
  const two = sentence(cellKnownFrom(1, '2026-11-20'), cellKnownFrom(3, '2026-11-21'));
  expect(two).toContain('(the newest entry accepted on 2026-11-21)');
  expect(two).toMatch(/; all of them only provisionally, from 1 to 9 trials each$/);
});
