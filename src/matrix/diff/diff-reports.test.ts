import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { capabilitiesOf } from '../capabilities.js';
import { diffModels, diffRuns, diffTargets, lostSomething } from './diff-reports.js';
import type { ReportCell, ReportModel } from '../report-format.js';

const of = (cells: readonly ReportCell[], models: readonly ReportModel[] = [aReportModel('demo/one')]) =>
  aReport({ cells, models, capabilities: capabilitiesOf(cells) });
const rate = (passed: number, total: number, changes: Partial<ReportCell> = {}) =>
  aReportCell({
    verdict: passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky',
    ...changes,
    trials: { passed, total },
  });
const refused = {
  verdict: 'fail',
  class: 'http_error',
  reason: 'tool_choice_unsupported',
  status: 400,
} as const satisfies Partial<ReportCell>;
const cells = (amount: number, cellAt: () => ReportCell): ReportCell[] =>
  Array.from({ length: amount }, (_, index) => ({ ...cellAt(), key: `suite/p${index}@demo/one`, probe: `p${index}` }));

/** Names under lost and under gained; what is only a rate may be chance. */
function verdictOn(base: readonly ReportCell[], head: readonly ReportCell[]): string {
  const diff = diffRuns(of(base), of(head));
  expect(lostSomething(diff)).toBe(diff.lost.length + diff.whole.length > 0);
  const named = [...diff.lost, ...diff.gained].map(({ cell }) => cell);
  expect(diff.rates.filter(({ cell }) => named.includes(cell))).toEqual([]);
  return `${diff.lost.length} lost, ${diff.gained.length} gained, ${diff.rates.length} rates, ${diff.whole.length} whole`;
}

describe('what is more than chance', () => {
  test.each<[string, ReportCell, ReportCell, string]>([
    ['a total loss', rate(1, 1), rate(0, 3), '1 lost, 0 gained, 0 rates, 0 whole'],
    ['a single failure', rate(1, 1), rate(0, 1), '0 lost, 0 gained, 1 rates, 0 whole'],
    ['some failures', rate(10, 10), rate(8, 10), '0 lost, 0 gained, 1 rates, 0 whole'],
    ['a rate that fell by the evidence', rate(40, 40), rate(20, 40), '1 lost, 0 gained, 0 rates, 0 whole'],
    ['a total gain', rate(0, 3), rate(1, 1), '0 lost, 1 gained, 0 rates, 0 whole'],
    ['what passes more often and not always', rate(0, 40), rate(30, 40), '0 lost, 0 gained, 1 rates, 0 whole'],
  ])('%s', (_, base, head, expected) => expect(verdictOn([base], [head])).toBe(expected));

  test('a model that fails a little in every cell is lost as a whole', () => {
    const [before, after] = [cells(20, () => rate(10, 10)), cells(20, () => rate(8, 10))];
    expect(verdictOn(before, after)).toBe('0 lost, 0 gained, 20 rates, 1 whole');
    expect(verdictOn(before, before)).toBe('0 lost, 0 gained, 0 rates, 0 whole');
  });
});

describe('diffRuns', () => {
  const cells = (bound: string, failure: Partial<ReportCell> = {}) => [
    aReportCell({ capability: 'tools', point: { n: '0' }, verdict: 'fail' }),
    aReportCell({ capability: 'tools', point: { n: '1' }, ...(bound === '1' ? {} : { verdict: 'fail', ...failure }) }),
    aReportCell({ capability: 'tools', point: { n: '2' } }),
  ];

  test('shows conditions that changed, and which of them may be luck', () => {
    const change = {
      ...{ model: 'demo/one', capability: 'tools' },
      base: { verdict: 'partial', condition: 'n >= 1' },
      head: { verdict: 'partial', condition: 'n >= 2' },
    };
    expect(diffRuns(of(cells('1')), of(cells('2'))).conditions).toEqual([{ ...change, significant: false }]);
    const real = diffRuns(of(cells('1')), of(cells('2', refused)));
    expect(real.conditions).toEqual([{ ...change, significant: true }]);
    const fewer = diffRuns(of(cells('1').slice(1)), of(cells('1')));
    expect(fewer.conditions).toMatchObject([{ base: { condition: null }, significant: true }]);
  });

  test('shows thresholds that moved, and which of them may be luck', () => {
    type Curve = NonNullable<ReportCell['threshold']>['curve'];
    const find = (value: number | null, curve: Curve) =>
      aReportCell({ probe: 'find', threshold: { value, last_failing: 1, monotonic: true, curve } });
    const moved = (base: ReportCell, head: ReportCell) => diffRuns(of([base]), of([head])).thresholds;
    const before = find(512, [
      [256, 0, 1],
      [512, 3, 3],
      [1024, 1, 1],
    ]);
    const slightly = find(576, [
      [512, 0, 1],
      [576, 3, 3],
    ]);
    const far = find(4096, [
      [512, 0, 3],
      [1024, 0, 1],
      [2048, 0, 1],
      [4096, 3, 3],
    ]);
    const cell = 'suite/find@demo/one';
    expect(moved(before, before)).toEqual([]);
    expect(moved(before, slightly)).toEqual([{ cell, base: 512, head: 576, significant: false }]);
    expect(moved(before, far)).toEqual([{ cell, base: 512, head: 4096, significant: true }]);
    expect(moved(far, before)).toEqual([{ cell, base: 4096, head: 512, significant: true }]);
    expect(moved(before, { ...find(null, []), ...refused })).toEqual([
      { cell, base: 512, head: null, significant: true },
    ]);
  });

  test('names another served model and another fingerprint', () => {
    const served = (name: string, fingerprint: string) =>
      of([aReportCell({})], [aReportModel('demo/one', { served: [name], fingerprints: [fingerprint] })]);
    expect(diffRuns(served('a', 'x'), served('a', 'x')).served).toBeUndefined();
    expect(diffRuns(served('a', 'x'), served('b', 'y')).served).toEqual([
      { model: 'demo/one', field: 'model', before: ['a'], now: ['b'] },
      { model: 'demo/one', field: 'system_fingerprint', before: ['x'], now: ['y'] },
    ]);
  });

  test('shows quirks that came and went', () => {
    const showing = (...quirks: string[]) => of([aReportCell({ quirks })]);
    expect(diffRuns(showing('a'), showing('b')).quirks).toEqual([
      { cell: 'suite/probe@demo/one', gained: ['b'], lost: ['a'] },
    ]);
  });
});

describe('diffModels and diffTargets', () => {
  const models = [aReportModel('a/x', { as: 'big' }), aReportModel('b/y', { as: 'big' }), aReportModel('b/z')];
  const both = of(
    [aReportCell({ model: 'a/x' }), aReportCell({ model: 'b/y', ...refused }), aReportCell({ model: 'b/z' })],
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
