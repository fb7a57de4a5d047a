import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import type { CellFailure, ReportCell } from '../../matrix/report-format.js';
import { faultsText, faultText } from './names.js';

const kind = (of: CellFailure['class'], count: number, more: Partial<CellFailure> = {}): CellFailure => ({
  ...{ class: of, reason: null, status: 200, count, rung: null, detail: null, step: null, violations: [] },
  ...{ exchange: null, exchanges: [], traceresponse: null, response_id: null, ...more },
});
const failing = (failures: readonly CellFailure[], more: Partial<ReportCell> = {}): ReportCell =>
  aReportCell({ verdict: 'fail', class: failures[0]?.class ?? null, failures, ...more });

const values = kind('rule_violation', 6);
const refused = kind('http_error', 4, { reason: 'tool_choice_unsupported', status: 400 });
const [wrong, refusal] = [values, refused].map(faultText);

test.each<[string, readonly ReportCell[], string]>([
  ['one kind', [failing([values])], `${wrong}`],
  ['two kinds, the most frequent first', [failing([refused, values])], `6 × ${wrong} and 4 × ${refusal}`],
  ['two kinds of two cells', [failing([values]), failing([values, refused])], `12 × ${wrong} and 4 × ${refusal}`],
  ['no kinds, as in an older report', [failing([], { class: 'rule_violation' })], `${wrong}`],
  ['replies that are judged together', [failing([values, refused], { enforcement: 'ignored' })], `${wrong}`],
  ['no cells', [], ''],
])('%s', (_, cells, expected) => {
  expect(faultsText(cells)).toBe(expected);
});
