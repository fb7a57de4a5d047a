import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../test/support/build.js';
import { deviationsOf } from './standing/deviations.js';
import { type ExitConditions, exitCode } from './run-exit-code.js';
import type { Report, ReportCell } from './report-format.js';

const usual: ExitConditions = { failOn: 'deviation', interrupted: false, maxUnmeasured: 0.1, shard: false };
const fine = (standing: ReportCell['standing'] = 'as_expected') => aReportCell({ standing });
const broken = (standing: ReportCell['standing'], changes: Partial<ReportCell> = {}) =>
  aReportCell({ verdict: 'fail', standing, ...changes });
const of = (...cells: ReportCell[]) => aReport({ cells });
const gone = aReportModel('demo/gone', { reachable: false, standing: 'gone' });
const unmeasuredOf10 = (count: number) =>
  of(
    ...Array.from({ length: 10 }, (_, index) =>
      index < count ? aReportCell({ verdict: index % 2 ? 'not_run' : 'inconclusive' }) : fine(),
    ),
  );

/** Two cells of fifty planned trials, of which so many were not asked. */
const lacking = (missing: number) =>
  of(
    aReportCell({ standing: 'as_expected', trials: { passed: 50, total: 50 } }),
    aReportCell({ standing: 'as_expected', trials: { passed: 50 - missing, total: 50 - missing, missing } }),
  );

describe('exitCode', () => {
  test.each<[string, Report, Partial<ExitConditions>, number]>([
    ['all as expected', of(fine(), broken('as_expected')), {}, 0],
    ['a regression', of(broken('regression')), {}, 1],
    ['a change', of(broken('changed')), {}, 1],
    ['an improvement', of(fine('improvement')), {}, 1],
    ['a new cell that passes', of(fine('new')), {}, 0],
    ['a new cell that does not pass', of(broken('new')), {}, 1],
    ['a new cell that failed by chance', of(broken('new', { unsettled: true })), {}, 0],
    ['an unsettled regression', of(broken('regression', { unsettled: true })), {}, 0],
    ['a model that is gone', aReport({ models: [gone] }), {}, 1],
    ['a model that is gone as announced', aReport({ models: [{ ...gone, retired: true }] }), {}, 0],
    [
      'its cells do not count as unmeasured',
      aReport({
        models: [{ ...gone, retired: true }],
        cells: [fine(), aReportCell({ model: 'demo/gone', verdict: 'inconclusive' })],
      }),
      {},
      0,
    ],
    ['an interruption takes precedence', of(broken('regression')), { interrupted: true }, 130],
    [
      'a deviation takes precedence over truncation',
      aReport({ cells: [broken('regression')], complete: false }),
      {},
      1,
    ],
    ['truncated', aReport({ cells: [fine()], complete: false }), {}, 3],
    ['one of ten unmeasured', unmeasuredOf10(1), {}, 0],
    ['two of ten unmeasured', unmeasuredOf10(2), {}, 3],
    ['two of ten, allowed', unmeasuredOf10(2), { maxUnmeasured: 0.2 }, 0],
    ['a tenth of the planned trials not asked', lacking(10), {}, 0],
    ['more than a tenth of them not asked', lacking(11), {}, 3],
    ['more than a tenth not asked, allowed', lacking(11), { maxUnmeasured: 0.2 }, 0],
    ['more than a tenth not asked, and a shard', lacking(11), { shard: true }, 3],
    [
      'blocked since its need was not asked',
      of(fine(), aReportCell({ verdict: 'blocked', trials: { missing: 1 } })),
      {},
      3,
    ],
    ['blocked is not unmeasured', of(aReportCell({ verdict: 'blocked' })), {}, 0],
    ['regression only: a regression', of(broken('regression')), { failOn: 'regression' }, 1],
    ['regression only: a change', of(broken('changed')), { failOn: 'regression' }, 0],
    ['fail: a known failure', of(broken('as_expected')), { failOn: 'fail' }, 1],
    ['fail: not run', of(fine(), aReportCell({ verdict: 'not_run' })), { failOn: 'fail' }, 1],
    ['fail: all pass', of(fine()), { failOn: 'fail' }, 0],
    ['never: a regression', of(broken('regression')), { failOn: 'never' }, 0],
    ['never: truncated', aReport({ cells: [broken('regression')], complete: false }), { failOn: 'never' }, 3],
    ['a shard leaves deviations to merge', of(broken('regression')), { shard: true }, 0],
    ['a truncated shard', aReport({ cells: [broken('regression')], complete: false }), { shard: true }, 3],
    ['nothing planned', of(), {}, 0],
  ])('%s', (_, made, conditions, expected) => {
    expect(exitCode(made, { ...usual, ...conditions })).toBe(expected);
  });
});

describe('deviationsOf', () => {
  test('lists models that are gone first', () => {
    const found = deviationsOf({ models: [gone], cells: [broken('changed'), fine()] });
    expect(found.map(({ kind }) => kind)).toEqual(['gone', 'changed']);
  });

  test('leaves out new cells that the run asked of its own accord, but not known ones', () => {
    const kinds = (standing: 'new' | 'regression', asked_for?: 'condition' | 'composite') =>
      deviationsOf({ models: [], cells: [{ ...broken(standing), ...(asked_for && { asked_for }) }] }).length;
    expect([kinds('new'), kinds('new', 'composite'), kinds('new', 'condition')]).toEqual([1, 0, 0]);
    expect(kinds('regression', 'composite')).toBe(1);
  });
});
