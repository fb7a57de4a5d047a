import { expect, test } from 'vitest';
import { aReport, aReportCell } from '../../test/support/build.js';
import type { Report } from '../matrix/report-format.js';
import type { History } from './history/history.js';
import { summaryOf } from './history/run-summary.js';
import { renderReport } from './render-report.js';
import { reportFormats } from './report-formats.js';
import { redactor } from './safe/redact.js';

/** Whoever is called at night reads one of them, and must read the same in each. */

const lostOn = (day: number): Report => {
  const made = aReport({
    cells: [aReportCell({ standing: 'regression', verdict: 'fail', class: 'not_json', detail: 'prose' })],
  });
  return { ...made, run: { ...made.run, id: `r${day}`, started_at: `2026-11-${day}T03:00:00.000Z` } };
};
const fineOn = (day: number): Report => ({
  ...lostOn(day),
  cells: [aReportCell({ standing: 'as_expected' })],
});

const history: History = {
  ...{ from: 'runs', unreadable: [] },
  runs: [fineOn(18), lostOn(20), lostOn(21)].map((one) => ({
    ...summaryOf(one, undefined),
    ...{ folder: one.run.id, page: null },
  })),
};
const context = {
  ...{ redact: redactor(), exchanges: async function* () {}, failures: [], folder: 'r', color: false },
  ...{ columns: 200, history },
} as never;

test.each(['terminal', 'md', 'html', 'issue', 'junit', 'ctrf'] as const)(
  '%s says since which run, and for how many',
  async (name) => {
    const text = await renderReport(reportFormats[name], lostOn(22), context);
    expect(text.replaceAll('\\', '')).toMatch(/the run of 2026-11-20 \(3 runs\)/);
  },
);
