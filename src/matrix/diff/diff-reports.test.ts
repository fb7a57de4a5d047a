import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { capabilitiesOf } from '../capabilities.js';
import { diffModels, diffRuns, diffTargets, lostSomething } from './diff-reports.js';
import type { ReportCell, ReportModel } from '../report-format.js';

const of = (cells: readonly ReportCell[], models: readonly ReportModel[] = [aReportModel('demo/one')]) =>
  aReport({ cells, models, capabilities: capabilitiesOf(cells) });
const rate = (passed: number, total: number, verdict: ReportCell['verdict'] = 'flaky') =>
  aReportCell({ verdict, trials: { passed, total } });

describe('diffRuns', () => {
  test.each<[string, ReportCell, ReportCell, number, number]>([
    ['the same', rate(1, 1, 'pass'), rate(1, 1, 'pass'), 0, 0],
    ['passed, fails', rate(1, 1, 'pass'), rate(0, 1, 'fail'), 1, 0],
    ['failed, passes', rate(0, 1, 'fail'), rate(1, 1, 'pass'), 0, 1],
    ['one failure of twenty may be chance', rate(20, 20, 'pass'), rate(19, 20), 0, 0],
    ['a rate that fell too far for chance', rate(20, 20, 'pass'), rate(10, 20), 1, 0],
    ['a rate that rose too far for chance', rate(10, 20), rate(20, 20, 'pass'), 0, 1],
    ['nothing is lost where nothing was judged', rate(1, 1, 'pass'), rate(0, 0, 'inconclusive'), 0, 0],
  ])('%s', (_, base, head, lost, gained) => {
    const diff = diffRuns(of([base]), of([head]));
    expect([diff.lost.length, diff.gained.length]).toEqual([lost, gained]);
    expect(lostSomething(diff)).toBe(lost > 0);
  });

  test('shows changed conditions, thresholds, rates and quirks', () => {
    const cells = (bound: string, threshold: number, quirks: readonly string[]) => [
      aReportCell({ capability: 'tools', point: { n: '1' }, verdict: bound === '1' ? 'pass' : 'fail' }),
      aReportCell({ capability: 'tools', point: { n: '2' } }),
      aReportCell({ capability: 'tools', point: { n: '0' }, verdict: 'fail' }),
      aReportCell({
        probe: 'find',
        threshold: { value: threshold, last_failing: 1, monotonic: true, curve: [] },
        quirks,
      }),
    ];
    const diff = diffRuns(of(cells('1', 512, ['a'])), of(cells('2', 1024, ['b'])));
    expect(diff.conditions).toEqual([
      {
        ...{ model: 'demo/one', capability: 'tools' },
        base: { verdict: 'partial', condition: 'n >= 1' },
        head: { verdict: 'partial', condition: 'n >= 2' },
      },
    ]);
    expect(diff.thresholds).toEqual([{ cell: 'suite/find@demo/one', base: 512, head: 1024 }]);
    expect(diff.quirks).toEqual([{ cell: 'suite/find@demo/one', gained: ['b'], lost: ['a'] }]);
    expect(diff.rates).toMatchObject([
      { base: { passed: 1, total: 1 }, head: { passed: 0, total: 1 }, significant: false },
    ]);
  });
});

describe('diffModels and diffTargets', () => {
  const models = [aReportModel('a/x', { as: 'big' }), aReportModel('b/y', { as: 'big' }), aReportModel('b/z')];
  const both = of(
    [aReportCell({ model: 'a/x' }), aReportCell({ model: 'b/y', verdict: 'fail' }), aReportCell({ model: 'b/z' })],
    models,
  );

  test('compares two models cell by cell', () => {
    expect(diffModels(both, both, 'a/x', 'b/y').lost.map(({ cell }) => cell)).toEqual(['suite/probe']);
    expect(diffModels(both, both, 'a/x', 'z').lost).toEqual([]);
  });

  test('pairs the models of two targets by their common name', () => {
    const diff = diffTargets(both, both, 'a', 'b');
    expect(diff.lost.map(({ cell }) => cell)).toEqual(['suite/probe@big']);
    expect(diff.onlyHead).toEqual(['suite/probe@z']);
  });

  test('refuses a target in which two models have the same name', () => {
    const twins = of([aReportCell({ model: 'b/x' })], [aReportModel('b/x', { as: 'z' }), aReportModel('b/z')]);
    expect(() => diffTargets(both, twins, 'a', 'b')).toThrow(/b\/x and b\/z are both called "z"/);
  });

  test('lists the available models and targets', () => {
    expect(() => diffModels(both, both, 'a/x', 'none')).toThrow(/no model "none".*a\/x, b\/y, b\/z/);
    expect(() => diffModels(both, both, 'a/x', 'big')).toThrow(/matches several models: a\/x, b\/y/);
    expect(() => diffTargets(both, both, 'a', 'c')).toThrow(/no target "c".*a, b/);
  });
});
