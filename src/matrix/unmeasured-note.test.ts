import { expect, test } from 'vitest';
import { aReportCell, aReportModel } from '../../test/support/build.js';
import { unmeasuredNote } from './unmeasured-note.js';

const refused = {
  verdict: 'inconclusive',
  class: 'http_error',
  reason: 'gateway',
  status: 413,
  standing: null,
  detail: 'HTTP 413: too large',
} as const;
const cells = [
  aReportCell({ key: 's/a@demo/one', model: 'demo/one', ...refused }),
  aReportCell({ key: 's/b@demo/one', model: 'demo/one', ...refused }),
  aReportCell({ key: 's/c@demo/one', model: 'demo/one', ...refused, reason: 'rate_limited', status: 429 }),
  aReportCell({ key: 's/d@demo/one', model: 'demo/one' }),
];

test('names what kept most cells from being measured', () => {
  expect(unmeasuredNote({ models: [aReportModel('demo/one')], cells }, 0.1)).toEqual([
    '75 % of the cells were not measured, more than max_unmeasured (10 %) allows',
    'not measured because of http_error 413 gateway: 2 cells, such as s/a@demo/one: HTTP 413: too large',
  ]);
});

test('leaves models that did not answer to what is said of them, and says nothing below the limit', () => {
  const unreachable = { class: 'transport', reason: null, status: null, detail: 'refused' } as const;
  const models = [aReportModel('demo/one', { reachable: false, unreachable })];
  expect(unmeasuredNote({ models, cells }, 0.1)).toHaveLength(1);
  expect(unmeasuredNote({ models, cells }, 0.8)).toEqual([]);
});
