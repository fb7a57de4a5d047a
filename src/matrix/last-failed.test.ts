import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../test/support/build.js';
import { leftOpenBy } from './last-failed.js';
import type { SharedFailure } from '../decide/course.js';
import type { Report, ReportCell } from './report-format.js';

const cell = (name: string, changes: Parameters<typeof aReportCell>[0] = {}, model = 'demo/one') =>
  aReportCell({ key: `s/${name}@${model}`, model, standing: 'as_expected', ...changes });
const passed = { total: 1, passed: 1, faults: 0, interval: [0, 1] as const, needed: 0 };

test('a run leaves open what deviated, did not pass or was not measured in full', () => {
  const cells = [
    cell('fine'),
    cell('regression', { verdict: 'fail', standing: 'regression' }),
    cell('known', { verdict: 'fail' }),
    cell('flaky', { verdict: 'flaky' }),
    cell('better', { standing: 'improvement' }),
    cell('unmeasured', { verdict: 'inconclusive', standing: null }),
    cell('blocked', { verdict: 'blocked', standing: null }),
    cell('not-run', { verdict: 'not_run', standing: null }),
    cell('half', { trials: { ...passed, missing: 3 } }),
    cell('quirky'),
    cell('explains', { verdict: 'fail', asked_for: 'condition' }),
    cell('elsewhere', {}, 'demo/gone'),
  ];
  const wire: Report['wire'] = [
    {
      ...{ model: 'demo/one', quirk: 'tool_call_index_missing', standing: 'new', seen: 3, of: 3, only: null },
      ...{ cells: ['s/quirky@demo/one'], breaks: [], exchange: null },
    },
  ];
  const report = aReport({
    cells,
    wire,
    models: [aReportModel('demo/one'), aReportModel('demo/gone', { standing: 'gone', reachable: false })],
  });
  const run = {
    ...report.run,
    last_failed: { run: 'earlier', of: 99, left_out: ['s/left@demo/two', 's/known@demo/one'] },
  };
  const open = leftOpenBy({ ...report, run });
  expect(open.run).toBe(report.run.id);
  expect([...open.cells].sort()).toEqual(
    [
      ...['better', 'blocked', 'flaky', 'half', 'known', 'not-run', 'quirky', 'regression', 'unmeasured'].map(
        (name) => `s/${name}@demo/one`,
      ),
      's/elsewhere@demo/gone',
      's/left@demo/two',
    ].sort(),
  );
  expect(open.inDoubt).toEqual(['s/explains@demo/one']);
});

const failure: SharedFailure = {
  ...{ class: 'malformed_response', reason: 'server_error', runs: 1, failed: 5, total: 80, alarm: false },
  ...{ before: { failed: 0, total: 80 }, cells: {}, doubt: [{ passed: 75, total: 80 }], log10: 2, bound: 3 },
};
const doubted = aReportModel('demo/one', { shared_failures: [failure] });
const known = { verdict: 'pass', trials: 1 } as unknown as ReportCell['expected'];

test('of a model whose cells share a failure, all cells that can show it are open, those of others are not', () => {
  const searched = { value: 512, last_failing: 256, monotonic: true, curve: [] };
  const cells = [
    cell('passed', { expected: known }),
    cell('new', { standing: 'new' }),
    cell('searched', { expected: known, threshold: searched }),
    cell('enforced', { expected: known, enforcement: 'enforced' }),
    cell('other', { expected: known }, 'demo/two'),
  ];
  const open = leftOpenBy(aReport({ cells, models: [doubted, aReportModel('demo/two')] }));
  expect(open).toMatchObject({ cells: ['s/passed@demo/one'], shared: ['demo/one'] });
  expect(leftOpenBy(aReport({ cells, models: [aReportModel('demo/one')] }))).not.toHaveProperty('shared');
});
