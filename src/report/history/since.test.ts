import { expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../test/support/build.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { type RunSummary, summaryOf } from './run-summary.js';
import { deviatingSince, isNew, sinceWhen, unmeasuredSince } from './since.js';

const run = (day: number, cell: ReportCell): RunSummary => {
  const made = aReport({ cells: [cell] });
  const started_at = `2026-11-${day}T03:00:00.000Z`;
  return summaryOf({ ...made, run: { ...made.run, id: `r${day}`, started_at } }, undefined);
};
const passing = aReportCell({ standing: 'as_expected' });
const lost = aReportCell({ standing: 'regression', verdict: 'fail', class: 'not_json' });
const silent = aReportCell({ verdict: 'inconclusive', class: 'transport' });
const deviation = (cell: ReportCell) => ({ kind: 'regression', model: cell.model, cell }) as const;
const at = (day: number) => `2026-11-${day}T03:00:00.000Z`;

test('this run always counts, and runs that say nothing never do', () => {
  const earlier = [run(18, passing), run(19, lost), run(20, silent), run(21, lost)];
  expect(deviatingSince(deviation(lost), earlier)).toEqual({ at: at(19), runs: 3, open: false });
  expect(unmeasuredSince(silent, [run(18, passing), run(20, silent)])).toEqual({ at: at(20), runs: 2, open: false });
  expect(sinceWhen(earlier, () => null)).toEqual({ at: null, runs: 1, open: true });
});

test('what no run is known to show otherwise may be older', () => {
  const earlier = [run(20, lost), run(21, lost)];
  expect(deviatingSince(deviation(lost), earlier)).toEqual({ at: at(20), runs: 3, open: true });
});

test('what no earlier run shows is new', () => {
  expect(isNew(deviatingSince(deviation(lost), []))).toBe(true);
  expect(isNew(deviatingSince(deviation(lost), [run(18, passing)]))).toBe(true);
  expect(isNew(unmeasuredSince(silent, [run(18, passing)]))).toBe(true);
});

test('where more runs are counted than are known, the first of them has no date', () => {
  const counted = { ...lost, runs_in_a_row: 5 };
  expect(deviatingSince(deviation(counted), [run(21, lost)])).toEqual({ at: null, runs: 5, open: false });
});
