import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { siteView } from '../site/site-view.js';
import { runRow } from './run-row.js';
import { summaryOf } from './run-summary.js';
import { sparkline } from './sparkline.js';

const shared: SharedFailure = {
  ...{ class: 'not_json', reason: null, runs: 1, failed: 3, total: 80, before: { failed: 0, total: 80 } },
  ...{ cells: {}, alarm: false },
};

function summary(day: number, ...found: readonly SharedFailure[]) {
  const made = aReport({
    cells: [aReportCell({ standing: 'as_expected' })],
    models: [aReportModel(undefined, found.length === 0 ? {} : { shared_failures: found })],
  });
  const report = { ...made, run: { ...made.run, id: `r${day}`, started_at: `2026-11-${day}T03:00:00.000Z` } };
  return { report, past: { ...summaryOf(report, undefined), folder: `r${day}`, page: null } };
}

test('a night in doubt is told as one, and neither a quiet one nor an alarm is', () => {
  const nights = [summary(18), summary(19, shared), summary(20, { ...shared, alarm: true })];
  const [quiet, doubt, alarm] = nights.map(({ past }) => past);
  expect([quiet!, doubt!, alarm!].map((run) => runRow(run).doubt)).toEqual(['', 'demo/one in doubt', '']);
  const { runs, pages, models, doubtMeans } = siteView([quiet!, doubt!, alarm!], nights[2]!.report);
  expect(runs.map((run) => run.doubt)).toEqual(['', 'demo/one in doubt', '']);
  expect(pages[0]?.runs.map(({ isInDoubt }) => isInDoubt)).toEqual([false, true, false]);
  expect(pages[0]?.doubtMeans).toContain('more answers of the model failed than chance explains');
  expect(doubtMeans).toBe(pages[0]?.doubtMeans);
  expect(models[0]?.spark.text).toContain('; 1 run in doubt');
  expect(siteView([quiet!], nights[0]!.report)).toMatchObject({ doubtMeans: null, pages: [{ doubtMeans: null }] });
});

test('a mark of the line stands where the run does', () => {
  expect(sparkline([1, 0.5, null, 0], [false, true, true, false]).doubts).toEqual([{ x: 34, y: 12 }]);
});
