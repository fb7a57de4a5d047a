import { describe, expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../test/support/build.js';
import type { ReportCell } from '../report-format.js';
import { diffRuns } from './diff-reports.js';

const of = (cells: readonly ReportCell[]) => aReport({ cells });
const rate = (passed: number, total: number, changes: Partial<ReportCell> = {}) =>
  aReportCell({
    verdict: passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky',
    ...changes,
    trials: { passed, total },
  });
const at = (index: number) => ({ key: `suite/probe[n=${index}]@demo/one`, point: { n: String(index) } });
const cells = (count: number, make: (index: number) => ReportCell) =>
  Array.from({ length: count }, (_, index) => ({ ...make(index), ...at(index) }));

function verdictOn(base: readonly ReportCell[], head: readonly ReportCell[]): string {
  const { lost, gained, rates } = diffRuns(of(base), of(head));
  return `${lost.length} lost, ${gained.length} gained, ${rates.length} luck`;
}

describe('what no cell shows', () => {
  const passing = cells(11, () => rate(10, 10));
  const sometimes = cells(11, () => rate(30, 37));

  test('is lost where cells fail a little everywhere', () => {
    expect(verdictOn(passing, sometimes)).toBe('11 lost, 0 gained, 0 luck');
    expect(verdictOn(sometimes, passing)).toBe('0 lost, 11 gained, 0 luck');
    expect(diffRuns(of(passing), of(sometimes)).groups).toMatchObject([
      { name: 'chat@demo/one', base: { passed: 110, total: 110 }, head: { passed: 330, total: 407 }, compared: 11 },
    ]);
  });

  test('is not said of a cell that failed no more than before', () => {
    const head = sometimes.map((cell, index) =>
      index < 2 ? { ...passing[index]!, trials: rate(39, 40).trials } : cell,
    );
    expect(verdictOn(passing, head)).toBe('9 lost, 0 gained, 2 luck');
  });

  test('is luck where as many cells pass more often', () => {
    const [one, other] = [passing, sometimes].map((side, which) =>
      side.map((cell, index) => (index % 2 === which ? rate(30, 37, at(index)) : cell)),
    );
    expect(verdictOn(one!.slice(0, 10), other!.slice(0, 10))).toMatch(/^0 lost, 0 gained/);
  });

  test('is lost where one trial in five fails, however many others were asked because of it', () => {
    const asked = cells(60, () => rate(1, 1));
    const spoilt = (step: number) =>
      asked.map((cell, index) => {
        const fresh = { suspicion: 'regression', passed: 5, total: 5, p_value: null } as const;
        return index % step === 0 ? rate(5, 6, { ...at(index), fresh }) : cell;
      });
    expect(verdictOn(asked, spoilt(5))).toBe('12 lost, 0 gained, 0 luck');
    expect(verdictOn(asked, spoilt(12))).toBe('0 lost, 0 gained, 5 luck');
  });

  test('is luck where only the other side was asked again', () => {
    const fresh = { suspicion: 'regression', passed: 22, total: 23, p_value: null } as const;
    const base = cells(4, () => rate(22, 24, { fresh }));
    expect(
      verdictOn(
        base,
        cells(12, () => rate(10, 10)),
      ),
    ).toMatch(/^0 lost, 0 gained/);
  });

  test('is not known where one side asks again and the other does not', () => {
    const base = of(passing);
    const smoke = { ...base, run: { ...base.run, profile: 'smoke' } };
    expect(diffRuns(smoke, of(sometimes)).lost).toEqual([]);
  });

  const named =
    (changes: Partial<ReportCell>) =>
    (cell: ReportCell): ReportCell => ({ ...cell, ...changes });
  const object = [
    named({
      capability: 'tool_choice.object',
      key: 'a/order[tool_choice=object]@demo/one',
      point: { tool_choice: 'object' },
    }),
    named({ capability: 'tool_choice.object', key: 'a/named@demo/one', probe: 'named' }),
    named({
      capability: 'stream.tools',
      key: 'a/stream[tool_choice=object]@demo/one',
      point: { tool_choice: 'object' },
    }),
  ];
  const others = cells(40, (index) => rate(1, 1, { capability: `other${index % 10}` }));
  const once = [rate(1, 1), rate(2, 2), rate(1, 1)];
  const never = [rate(0, 3), rate(0, 4), rate(0, 3)];
  const with_ = (some: readonly ReportCell[], amount: number) => [
    ...some.slice(0, amount).map((cell, index) => object[index]!(cell)),
    ...others,
  ];

  test('is lost where every cell of a capability died, though it has only two', () => {
    expect(verdictOn(with_(once, 2), with_(never, 2))).toBe('2 lost, 0 gained, 0 luck');
  });

  test('is lost with a setting, in whatever capability it shows', () => {
    expect(verdictOn(with_(once, 3), with_(never, 3))).toBe('3 lost, 0 gained, 0 luck');
    const { groups } = diffRuns(of(with_(once, 3)), of(with_(never, 3)));
    expect(groups.map(({ name }) => name)).toEqual(['tool_choice.object@demo/one', 'tool_choice=object@demo/one']);
  });

  test('is luck where one of two still passes, or each was asked once', () => {
    expect(verdictOn(with_(once, 2), with_([rate(0, 3), rate(1, 1)], 2))).toBe('0 lost, 0 gained, 1 luck');
    expect(verdictOn(with_(once, 2), with_([rate(0, 1), rate(0, 2)], 2))).toBe('0 lost, 0 gained, 2 luck');
  });
});
