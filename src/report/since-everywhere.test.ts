import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../test/support/build.js';
import { type Deviation, deviationsOf } from '../matrix/standing/deviations.js';
import type { ExpectedCell, Report, ReportQuirk } from '../matrix/report-format.js';
import type { History } from './history/history.js';
import { summaryOf } from './history/run-summary.js';
import { renderReport } from './render-report.js';
import { reportFormats } from './report-formats.js';
import { redactor } from './safe/redact.js';

/** Whoever is called at night reads one of them, and must read the same in each. */

const on = (day: number, changes: Partial<Report>): Report => {
  const made = aReport({ cells: [aReportCell({ standing: 'as_expected' })] });
  return { ...made, ...changes, run: { ...made.run, id: `r${day}`, started_at: `2026-11-${day}T03:00:00.000Z` } };
};
const failing = { verdict: 'fail', class: 'not_json', detail: 'prose' } as const;
const known: ExpectedCell = {
  ...{ verdict: 'fail', class: 'http_error', reason: 'server_error', status: 500, passed: null, total: null },
  ...{ date: '2026-11-02', note: null, link: null, threshold: null },
};
const quirk = (standing: ReportQuirk['standing']): ReportQuirk => ({
  ...{
    model: 'demo/one',
    quirk: 'empty_choices_chunk',
    standing,
    seen: standing === 'gone' ? 0 : 5,
    of: 5,
    only: null,
  },
  ...{ cells: ['suite/a@demo/one'], breaks: [], exchange: null },
});

/** What a night shows, by the kind of its deviation. */
const shown: readonly (readonly [Deviation['kind'], string, Partial<Report>])[] = [
  ['regression', 'a regression', { cells: [aReportCell({ standing: 'regression', ...failing })] }],
  ['changed', 'another failure', { cells: [aReportCell({ standing: 'changed', ...failing, expected: known })] }],
  ['improvement', 'an improvement', { cells: [aReportCell({ standing: 'improvement', expected: known })] }],
  ['new', 'a new cell that fails', { cells: [aReportCell({ standing: 'new', ...failing, expected: null })] }],
  ['gone', 'a model that is gone', { models: [aReportModel(undefined, { standing: 'gone', reachable: false })] }],
  ['wire', 'a quirk that has become the rule', { wire: [quirk('new')] }],
  ['wire', 'a quirk that has ended', { wire: [quirk('gone')] }],
];

const contextOf = (earlier: readonly Report[]) => {
  const history: History = {
    ...{ from: 'runs', unreadable: [] },
    runs: earlier.map((one) => ({ ...summaryOf(one, undefined), ...{ folder: one.run.id, page: null } })),
  };
  return {
    ...{ redact: redactor(), exchanges: async function* () {}, failures: [], folder: 'r', color: false },
    ...{ columns: 200, history },
  } as never;
};

test('every kind of deviation is there', () => {
  for (const [kind, , changes] of shown) expect(deviationsOf(on(20, changes)).map((one) => one.kind)).toEqual([kind]);
});

describe.each(shown)('%s, %s', (_, __, changes) => {
  test.each(['terminal', 'md', 'html', 'issue', 'junit', 'ctrf'] as const)(
    '%s says since which run, and for how many',
    async (name) => {
      const context = contextOf([on(18, {}), on(20, changes), on(21, changes)]);
      const text = await renderReport(reportFormats[name], on(22, changes), context);
      expect(text.replaceAll('\\', '')).toMatch(/the run of 2026-11-20 \(3 runs\)/);
    },
  );
});
