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
const broken = { ...refused, reason: 'server_error', status: 500 } as const;
const knownFlaky = (failure: Pick<ReportCell, 'class' | 'reason' | 'status'>): Partial<ReportCell> => ({
  expected: {
    ...{ verdict: 'flaky', passed: 5, total: 20, date: null, note: null, link: null, threshold: null },
    ...{ class: failure.class, reason: failure.reason, status: failure.status },
  },
});

/** Names under lost and under gained; what is only a rate is luck. */
function verdictOn(base: readonly ReportCell[], head: readonly ReportCell[]): string {
  const diff = diffRuns(of(base), of(head));
  expect(lostSomething(diff)).toBe(diff.lost.length > 0);
  const named = [...diff.lost, ...diff.gained].map(({ cell }) => cell);
  expect(diff.rates.filter(({ cell }) => named.includes(cell))).toEqual([]);
  const more = diff.rates.filter(({ significant }) => significant).length;
  const luck = `${diff.rates.length - more} luck`;
  return `${diff.lost.length} lost, ${diff.gained.length} gained, ${luck}${more > 0 ? `, ${more} more often` : ''}`;
}

describe('what is more than luck', () => {
  test.each<[string, ReportCell, ReportCell, string]>([
    ['the same', rate(1, 1), rate(1, 1), '0 lost, 0 gained, 0 luck'],
    ['nothing was judged', rate(1, 1), aReportCell({ verdict: 'inconclusive' }), '0 lost, 0 gained, 0 luck'],
    ['one failing trial', rate(1, 1), rate(0, 1), '0 lost, 0 gained, 1 luck'],
    ['one passing trial', rate(0, 1), rate(1, 1), '0 lost, 0 gained, 1 luck'],
    ['two of two', rate(2, 2), rate(0, 2), '0 lost, 0 gained, 1 luck'],
    ['one failure of twenty', rate(20, 20), rate(19, 20), '0 lost, 0 gained, 1 luck'],
    ['a rate that fell too far', rate(20, 20), rate(10, 20), '1 lost, 0 gained, 0 luck'],
    ['a rate that rose too far', rate(10, 20), rate(20, 20), '0 lost, 1 gained, 0 luck'],
    ['a rate that rose, though it still fails', rate(5, 20), rate(17, 20), '0 lost, 0 gained, 0 luck, 1 more often'],
    ['one that now passes sometimes', rate(0, 20), rate(12, 20), '0 lost, 0 gained, 0 luck, 1 more often'],
    ['one that now passes but for one trial', rate(0, 20), rate(29, 30), '0 lost, 0 gained, 0 luck, 1 more often'],
    [
      'the same, called an improvement by the run',
      rate(0, 20),
      rate(29, 30, { standing: 'improvement', surprise: 'confirmed' }),
      '0 lost, 1 gained, 0 luck',
    ],
    ['a refusal that now comes at times', rate(0, 1, refused), rate(1, 2, refused), '0 lost, 0 gained, 1 luck'],
    [
      'a row of passes after many failures, of which this run saw one',
      rate(0, 1, { known: { since: 'fail', passed: 0, total: 4, before: { passed: 0, total: 3 } } }),
      rate(34, 34),
      '0 lost, 1 gained, 0 luck',
    ],
    ['a row of five failures', rate(1, 1), rate(0, 5), '1 lost, 0 gained, 0 luck'],
    ['a row of four', rate(1, 1), rate(0, 4), '0 lost, 0 gained, 1 luck'],
    ['a row of passes after two failures', rate(0, 2), rate(5, 5), '0 lost, 1 gained, 0 luck'],
    ['a row of passes after one failure', rate(0, 1), rate(8, 8), '0 lost, 0 gained, 1 luck'],
    ['a refusal', rate(1, 1), rate(0, 1, refused), '1 lost, 0 gained, 0 luck'],
    [
      'a refusal after a flaky rate',
      rate(4, 5, { class: 'not_json' }),
      rate(0, 1, refused),
      '1 lost, 0 gained, 0 luck',
    ],
    ['no refusal any more', rate(0, 1, refused), rate(1, 1), '0 lost, 1 gained, 0 luck'],
    ['a refusal now and then', rate(1, 1), rate(1, 3, { ...refused, verdict: 'flaky' }), '0 lost, 0 gained, 1 luck'],
    [
      'a refusal that came now and then before',
      rate(4, 5, { ...refused, verdict: 'flaky' }),
      rate(0, 1, refused),
      '0 lost, 0 gained, 1 luck',
    ],
    [
      'a refusal that the baseline calls flaky',
      rate(1, 1),
      rate(0, 1, { ...refused, ...knownFlaky(refused) }),
      '0 lost, 0 gained, 1 luck',
    ],
    [
      'what the model wrote was refused',
      rate(1, 1),
      rate(0, 1, { ...refused, reason: 'model_output_rejected' }),
      '0 lost, 0 gained, 1 luck',
    ],
    ['a filter', rate(1, 1), rate(0, 1, { ...refused, reason: 'content_filtered' }), '0 lost, 0 gained, 1 luck'],
    ['a repeated 500', rate(1, 1), rate(0, 1, broken), '1 lost, 0 gained, 0 luck'],
    ['an unknown refusal', rate(1, 1), rate(0, 1, { ...refused, reason: 'unknown' }), '1 lost, 0 gained, 0 luck'],
    [
      'confirmed by the run',
      rate(1, 1),
      rate(0, 4, { standing: 'regression', surprise: 'confirmed' }),
      '1 lost, 0 gained, 0 luck',
    ],
    [
      'shown by the run but not settled',
      rate(1, 1),
      rate(0, 4, { standing: 'regression', surprise: 'confirmed', unsettled: true }),
      '0 lost, 0 gained, 1 luck',
    ],
    [
      'confirmed by a run whose baseline knew the cell from two trials',
      rate(1, 1),
      rate(0, 4, {
        ...{ standing: 'regression', surprise: 'confirmed' },
        known: { since: 'pass, 2', passed: 2, total: 6, before: { passed: 2, total: 2 } },
      }),
      '0 lost, 0 gained, 1 luck',
    ],
    [
      'an improvement confirmed by the run',
      rate(0, 1),
      rate(4, 4, { standing: 'improvement', surprise: 'confirmed' }),
      '0 lost, 1 gained, 0 luck',
    ],
  ])('%s', (_, base, head, expected) => {
    expect(verdictOn([base], [head])).toBe(expected);
  });

  const cells = (count: number, make: (index: number) => ReportCell) =>
    Array.from({ length: count }, (_, index) => ({ ...make(index), ...at(index) }));
  const at = (index: number) => ({ key: `suite/probe[n=${index}]@demo/one`, point: { n: String(index) } });

  describe('a keyword', () => {
    const enforced = (total: number) => rate(total, total, { enforcement: 'enforced' });
    const ignored = (kept: number, total: number) =>
      rate(kept, total, { verdict: 'fail', class: 'not_enforced', enforcement: 'ignored' });
    const refuses = rate(0, 3, { ...refused, reason: 'schema_rejected', enforcement: 'refused' });

    test.each<[string, ReportCell, ReportCell, string]>([
      ['that every reply breaks is lost', enforced(7), ignored(0, 10), '1 lost, 0 gained, 0 luck'],
      ['that some replies keep may not be', enforced(3), ignored(9, 10), '0 lost, 0 gained, 1 luck'],
      ['that fewer replies keep is ignored as before', ignored(9, 10), ignored(0, 10), '0 lost, 0 gained, 0 luck'],
      ['that more replies keep is ignored as before', ignored(0, 10), ignored(9, 10), '0 lost, 0 gained, 0 luck'],
      ['is not lost when it is refused instead', ignored(9, 10), refuses, '0 lost, 0 gained, 0 luck'],
      ['is not gained when it is ignored instead', refuses, ignored(9, 10), '0 lost, 0 gained, 0 luck'],
      ['that all replies keep now is gained', ignored(0, 3), enforced(44), '0 lost, 1 gained, 0 luck'],
    ])('%s', (_, base, head, expected) => expect(verdictOn([base], [head])).toBe(expected));
  });

  test('the more cells, the longer a row must be', () => {
    const passing = cells(40, () => rate(1, 1));
    const withRow = (length: number) => cells(40, (index) => (index === 0 ? rate(0, length) : rate(1, 1)));
    expect(verdictOn(passing, withRow(9))).toBe('0 lost, 0 gained, 1 luck');
    expect(verdictOn(passing, withRow(10))).toBe('1 lost, 0 gained, 0 luck');
  });

  test('cells that fail together are lost together', () => {
    const [before, after] = [cells(12, () => rate(1, 1)), cells(12, () => rate(0, 1, { class: 'not_json' }))];
    expect(verdictOn(before, after)).toBe('12 lost, 0 gained, 0 luck');
    expect(verdictOn(after, before)).toBe('0 lost, 12 gained, 0 luck');
    const { groups, lost } = diffRuns(of(before), of(after));
    const counts = { base: { passed: 12, total: 12 }, head: { passed: 0, total: 12 }, compared: 12 };
    expect(groups).toMatchObject([{ change: 'lost', name: 'chat@demo/one', ...counts }]);
    expect(groups[0]?.cells).toEqual(lost.map(({ cell }) => cell));
    expect(lost[0]).toMatchObject({ because: 'group' });
  });

  test('even if the run asked the failing ones again', () => {
    const before = cells(6, () => rate(1, 1));
    expect(
      verdictOn(
        before,
        cells(6, () => rate(0, 3)),
      ),
    ).toBe('6 lost, 0 gained, 0 luck');
    expect(
      verdictOn(
        before,
        cells(6, () => rate(1, 3)),
      ),
    ).toBe('0 lost, 0 gained, 6 luck');
  });

  test('but not a cell of the group that changed little', () => {
    const before = cells(12, (index) => (index === 0 ? rate(20, 20) : rate(1, 1)));
    const after = cells(12, (index) => (index === 0 ? rate(19, 20) : rate(0, 1)));
    expect(verdictOn(before, after)).toBe('11 lost, 0 gained, 1 luck');
  });

  test('a few failures in a group are luck', () => {
    const before = cells(30, () => rate(1, 1));
    expect(
      verdictOn(
        before,
        cells(30, (index) => (index < 7 ? rate(0, 1) : rate(1, 1))),
      ),
    ).toBe('0 lost, 0 gained, 7 luck');
  });

  test('server errors that come and go are luck', () => {
    const only = (failing: number) => cells(8, (index) => (index === failing ? rate(0, 1, broken) : rate(1, 1)));
    expect(verdictOn(only(1), only(2))).toBe('0 lost, 0 gained, 2 luck');
    const sometimes = cells(8, (index) => (index === 0 ? rate(3, 4, { ...broken, verdict: 'flaky' }) : rate(1, 1)));
    expect(verdictOn(sometimes, only(2))).toBe('0 lost, 0 gained, 2 luck');
    expect(
      verdictOn(
        cells(8, () => rate(1, 1)),
        only(2),
      ),
    ).toBe('1 lost, 0 gained, 0 luck');
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

  test('shows no change of a condition where only what is not known differs', () => {
    const base = of(cells('1'));
    const saying = (condition: string) => ({
      ...base,
      capabilities: base.capabilities.map((capability) => ({ ...capability, condition })),
    });
    const head = saying('n >= 1; not known with n=1 and t=on together');
    expect(diffRuns(base, saying('n >= 2')).conditions).toHaveLength(1);
    expect(diffRuns(base, head).conditions).toEqual([]);
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
