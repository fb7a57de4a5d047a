import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { Change } from '../../matrix/changes/change.js';
import type { Report } from '../../matrix/report-format.js';
import type { CellSummary, RunSummary } from '../../matrix/run-summary.js';
import { askOf, isFlakyLately, rivalsIn } from './ask.js';
import type { UsableTable } from './usable.js';

const key = 's/p@demo/one';
const runs = (...verdicts: readonly string[]) =>
  verdicts.map((verdict) => {
    const cells: Record<string, CellSummary> = verdict === '' ? {} : { [key]: `${verdict} 1/1` as CellSummary };
    return { cells } as unknown as RunSummary;
  });
const [p, f] = ['pass', 'fail'];

describe('flaky lately', () => {
  test.each([
    ['always passed', runs(p, p, p), false],
    ['broke once', runs(p, p, f, f), false],
    ['broke and came back', runs(p, f, p), true],
    ['came back and broke', runs(f, p, f), true],
    ['was flaky in one run', runs(p, 'flaky', 'flaky'), true],
    ['was not measured in between', runs(p, 'inconclusive', p), false],
    ['was not asked in between', runs(p, '', f, f), false],
    ['was flaky ten runs ago', runs('flaky', p, p, p, p, p, p, p, p, p), true],
    ['was flaky eleven runs ago', runs('flaky', p, p, p, p, p, p, p, p, p, p), false],
    ['was never judged', runs('', 'blocked'), false],
  ] as const)('%s: %s', (_, history, flaky) => {
    expect(isFlakyLately(key, history)).toBe(flaky);
  });
});

type Verdicts = Readonly<Record<string, 'pass' | 'fail' | 'flaky' | 'inconclusive'>>;
const reportOf = (verdicts: Verdicts): Report =>
  aReport({
    models: Object.keys(verdicts).map((id) => aReportModel(`demo/${id}`)),
    cells: Object.entries(verdicts).map(([id, verdict]) =>
      aReportCell({ key: `s/p@demo/${id}`, model: `demo/${id}`, verdict }),
    ),
  });
const noTable: UsableTable = { columns: [], rows: [] };
const asked = (report: Report, changes: readonly Change[] = [], usable = noTable) =>
  askOf({ report, changes, runs: [] }, usable);

describe('only this one fails', () => {
  test.each([
    ['where all others pass', { one: 'fail', two: 'pass', three: 'pass' }, ['s/p@demo/one']],
    ['not where another fails', { one: 'fail', two: 'fail', three: 'pass' }, []],
    ['not where another is flaky', { one: 'fail', two: 'flaky', three: 'pass' }, []],
    ['not where it is flaky itself', { one: 'flaky', two: 'pass' }, []],
    ['whatever was not measured', { one: 'fail', two: 'pass', three: 'inconclusive' }, ['s/p@demo/one']],
    ['not where no other was judged', { one: 'fail', two: 'inconclusive' }, []],
  ] as const)('%s', (_, verdicts, keys) => {
    expect(asked(reportOf(verdicts)).answers.alone).toEqual(keys);
  });
});

test('what became worse are the cells of such changes, and the models of any change are named', () => {
  const change = (kind: Change['kind'], model: string) =>
    ({ kind, models: [`demo/${model}`], cells: [`s/p@demo/${model}`] }) as unknown as Change;
  const report = reportOf({ one: 'fail', two: 'pass', three: 'fail' });
  const { answers, chips } = asked(report, [change('lost', 'one'), change('gained', 'two'), change('doubt', 'three')]);
  expect(answers.worse).toEqual(['s/p@demo/one']);
  expect(chips.find(({ id }) => id === 'changed')?.models).toEqual(['demo/one', 'demo/two']);
});

test('needs, caps and the settings that a need is bound to are chips, and models name the needs that they serve', () => {
  const field = (state: string, settings = {}) => ({ state, settings });
  const usable = {
    columns: ['structured', 'stream', 'flow', 'thinking', 'tools'].map((id) => ({ id, title: id })),
    rows: [
      {
        model: { id: 'demo/one' },
        fields: [
          field('conditions', { max_tokens: '2048', thinking: 'off' }),
          ...[field('unusable'), field('unknown'), field('few'), field('part')],
        ],
      },
    ],
  } as unknown as UsableTable;
  const { chips, models } = asked(reportOf({ one: 'pass' }), [], usable);
  expect(chips.filter(({ group }) => group === 'need').map(({ id, rule }) => [id, rule])).toEqual([
    ['structured', null],
    ['stream', { name: 'stream', not: 'false' }],
    ...['flow', 'thinking', 'tools'].map((id) => [id, null]),
  ]);
  expect(chips.flatMap(({ group, rule }) => (group === 'setting' ? rule : []))).toEqual([
    ...[256, 1024, 4096].map((most) => ({ name: 'max_tokens', most })),
    { name: 'thinking', not: 'off' },
  ]);
  expect(models['demo/one']).toEqual({
    price: null,
    needs: { structured: { max_tokens: '2048', thinking: 'off' }, thinking: {}, tools: {} },
  });
});

test.each([
  ['the model that passes the same', { one: 'fail', two: 'fail', three: 'pass' }, 'demo/three'],
  ['another one where none does', { one: 'fail', two: 'fail' }, 'demo/two'],
  ['nothing where there is no other', { one: 'fail' }, null],
] as const)('a comparison is with %s', (_, verdicts, rival) => {
  expect(rivalsIn(reportOf(verdicts))('demo/one', ['s/p@demo/one'])).toBe(rival);
});
