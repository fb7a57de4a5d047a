import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../test/support/build.js';
import { wrongPlurals } from '../../test/support/plurals.js';
import type { Stop } from '../journal/stop.js';
import type { Report, ReportCell } from '../matrix/report-format.js';
import { unmeasuredNote } from '../matrix/unmeasured-note.js';
import { renderReport } from './render-report.js';
import { reportFormats } from './report-formats.js';
import { redactor } from './safe/redact.js';

/** Reports of one model with one cell, one trial and one request speak of one. */

const failing = { class: 'http_error', reason: 'server_error', status: 500, detail: 'HTTP 500' } as const;
const expected = { kind: 'pass', trials: 1, date: '2026-11-20', verdict: null } as unknown as ReportCell['expected'];

const cells: Readonly<Record<string, Parameters<typeof aReportCell>[0]>> = {
  'passes, not covered': { standing: 'new' },
  'passes, covered': { standing: 'as_expected', expected },
  'fails, not covered': { verdict: 'fail', standing: 'new', ...failing },
  'fails, expected to pass': { verdict: 'fail', standing: 'regression', expected, ...failing },
  'fails as expected': { verdict: 'fail', standing: 'as_expected', expected, ...failing },
  'is flaky': { verdict: 'flaky', standing: 'new', ...failing },
  'is unsettled': { verdict: 'flaky', standing: 'as_expected', unsettled: true, expected, ...failing },
  'needs one trial more': { standing: 'new', trials: { needed: 1, missing: 1 } },
  'met one fault': { verdict: 'inconclusive', ...failing, reason: 'gateway', trials: { faults: 1 } },
  'is blocked': { verdict: 'blocked' },
  'was not run': { verdict: 'not_run' },
};

const stops: readonly (readonly Stop[])[] = [[], [{ kind: 'budget', unit: 'requests', limit: 1 } as unknown as Stop]];

/** The run folder is not there. */
async function* none(): AsyncGenerator<never> {}

function reportOf(cell: ReportCell, stopped: readonly Stop[]): Report {
  const kinds = [{ kind: 'timeout', status: null, requests: 1 }] as const;
  const failed_requests = { failed: 1, of: 1, stream: true, lost: 1, kinds };
  const report = aReport({ cells: [cell], models: [{ ...aReportModel(), failed_requests }] });
  const capabilities = [
    { model: cell.model, capability: cell.capability, verdict: cell.verdict, condition: null, cells: [cell.key] },
  ] as unknown as Report['capabilities'];
  const notes = unmeasuredNote(report, 0.1);
  const throttled = [
    { target: 'demo', requests: 1, refused: 1, statuses: [429], held: { concurrency: 1, requests_per_minute: 1 } },
  ];
  const run = { ...report.run, requests: 1, usage: { ...report.run.usage, total_tokens: 1 }, stops: stopped, notes };
  return { ...report, capabilities, run: { ...run, throttled } };
}

test.each(Object.entries(cells))('a cell that %s', async (_, changes) => {
  for (const stopped of stops) {
    const report = reportOf(aReportCell(changes), stopped);
    for (const format of ['terminal', 'md', 'html', 'issue'] as const) {
      const text = await renderReport(reportFormats[format], report, {
        ...{ redact: redactor([]), exchanges: none, failures: [], folder: 'r', color: false, columns: 200 },
        ...{ history: null, summary: null },
      });
      expect(wrongPlurals(text), format).toEqual([]);
    }
  }
});
