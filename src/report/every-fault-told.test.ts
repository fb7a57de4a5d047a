import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../test/support/build.js';
import type { CellFailure } from '../matrix/report-format.js';
import { renderReport } from './render-report.js';
import { reportFormats } from './report-formats.js';
import { redactor } from './safe/redact.js';

/** Three faults in two causes: a reader of any format can look each of them up, and ask support about it. */
const faults = [
  { model: 'demo/a', probe: 'order', at: '/currency', message: 'must be equal to one of the allowed values' },
  { model: 'demo/a', probe: 'mood', at: '/sentiment', message: 'must be equal to one of the allowed values' },
  { model: 'demo/b', probe: 'order', at: '/quantity', message: 'must be integer' },
];

const failureOf = (index: number): CellFailure => {
  const { at, message } = faults[index]!;
  return {
    ...{ class: 'schema_violation', reason: null, status: 200, detail: `the content ${at} ${message}`, step: null },
    ...{ violations: [{ at, message }], exchange: `e00000${index}`, exchanges: [`e00000${index}`] },
    ...{ traceresponse: null, response_id: `chatcmpl-${index}` },
  };
};
const cells = faults.map(({ model, probe }, index) =>
  aReportCell({
    ...{ model, probe, capability: 'json_schema', standing: 'regression', verdict: 'fail', class: 'schema_violation' },
    ...{ status: 200, detail: failureOf(index).detail, failures: [failureOf(index)], exchanges: [`e00000${index}`] },
  }),
);
const report = aReport({ cells, models: [aReportModel('demo/a'), aReportModel('demo/b')] });
const context = {
  ...{ redact: redactor(), exchanges: async function* () {}, failures: [], folder: 'r', color: false },
  ...{ columns: 200, history: null },
} as never;

test.each(['terminal', 'md', 'html', 'issue'] as const)(
  '%s tells each fault, with a command for its evidence and an id for support',
  async (name) => {
    const text = (await renderReport(reportFormats[name], report, context)).replaceAll(/[\\`]/g, '');
    for (const [index, { at, probe, model }] of faults.entries()) {
      expect(text).toContain(`${at} must be`);
      expect(text).toContain(`chatcmpl-${index}`);
      const shows = [`evidence r suite/${probe}@${model}`, `evidence r e00000${index}`];
      expect(shows.some((command) => text.includes(command))).toBe(true);
    }
  },
);
