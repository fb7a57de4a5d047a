import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { Report, ReportCell } from '../report-format.js';
import type { RunSummary } from '../run-summary.js';
import { changesOf } from './find-changes.js';

const refused = { verdict: 'fail', class: 'http_error', reason: 'tool_choice_unsupported', status: 500 } as const;
const expected = (changes: object = {}) =>
  ({ verdict: 'pass', date: null, note: null, link: null, threshold: null, ...changes }) as ReportCell['expected'];
const cellOf = (model: string, changes: Partial<ReportCell> = {}) =>
  aReportCell({
    ...{ key: `s/p@${model}`, model, ...refused, standing: 'regression', expected: expected() },
    ...changes,
  });
const reportOf = (cells: readonly ReportCell[], report: Partial<Report> = {}) =>
  aReport({ cells, models: ['t/one', 't/two', 'u/one', 'u/two'].map((id) => aReportModel(id)), ...report });
const threshold = (value: number | null, largest = false) =>
  ({ value, curve: [], ...(largest && { largest: true }) }) as unknown as ReportCell['threshold'];

describe('the cause of a change', () => {
  test.each([
    ['a failure', {}, 'lost', 'lost'],
    [
      'a failure of a cell that passed at times',
      { expected: expected({ verdict: 'flaky', total: 9 }) },
      'lost',
      'rate',
    ],
    ['another failure', { standing: 'changed' }, 'changed', 'changed'],
    ['a pass', { verdict: 'pass', standing: 'improvement' }, 'gained', 'gained'],
    ['what does not hold', { verdict: 'flaky', standing: 'unreliable' }, 'unreliable', 'unreliable'],
    ['a doubt', { unsettled: true }, 'doubt', 'doubt'],
    ['more', { threshold: threshold(2048), expected: expected({ threshold: 1024 }) }, 'lost', 'needsMore'],
    ['less', { threshold: threshold(512), expected: expected({ threshold: 1024 }) }, 'lost', 'needsLess'],
    ['up to less', { threshold: threshold(512, true), expected: expected({ threshold: 1024 }) }, 'lost', 'worksUpTo'],
    ['no value', { threshold: threshold(null), expected: expected({ threshold: 1024 }) }, 'lost', 'worksAtNone'],
    ['the same value', { threshold: threshold(1024), expected: expected({ threshold: 1024 }) }, 'lost', 'lost'],
  ] as const)('%s', (_, cell, kind, code) => {
    const [change, ...others] = changesOf(reportOf([cellOf('t/one', cell)]), []);
    expect([change?.kind, change?.cause.code, others]).toEqual([kind, code, []]);
  });
});

describe('who else shows it', () => {
  const pass = { verdict: 'pass', standing: 'as_expected', class: null, reason: null, status: null } as const;
  test.each([
    ['nobody', ['t/one'], { code: 'one' }],
    ['one of another target', ['t/one', 'u/one'], { code: 'some', models: 2, of: 4 }],
    ['a whole target', ['t/one', 't/two'], { code: 'target', targets: ['t'] }],
    ['a target and a part of another', ['t/one', 't/two', 'u/one'], { code: 'some', models: 3, of: 4 }],
    ['all', ['t/one', 't/two', 'u/one', 'u/two'], { code: 'all' }],
  ] as const)('%s', (_, failing, scope) => {
    const all = ['t/one', 't/two', 'u/one', 'u/two'];
    const cells = all.map((id) => cellOf(id, failing.some((one) => one === id) ? {} : pass));
    const [change, ...others] = changesOf(reportOf(cells), []);
    expect([change?.scope, change?.models, others]).toEqual([scope, failing, []]);
  });
});

test.each([
  ['in no other run', [[]], { runs: 1, at: null, isOpen: false }],
  ['in the run before', [[], ['regression s/p@t/one']], { runs: 2, at: '2', isOpen: false }],
  ['in all runs', [['regression s/p@t/one']], { runs: 2, at: '1', isOpen: true }],
] as const)('what deviates %s', (_, before, since) => {
  const earlier = before.map((deviating, at) => ({
    ...{ run: { started_at: String(at + 1), shard: false }, deviating, cells: { 's/p@t/one': 'pass 1/1' }, models: {} },
  })) as unknown as RunSummary[];
  const now = { run: { started_at: '9', shard: false } } as RunSummary;
  expect(changesOf(reportOf([cellOf('t/one')]), [...earlier, now])[0]?.since).toEqual(since);
});

test('cells of a model that fail alike are one change, what hurts most comes first, and patterns name no other', () => {
  const cells = [
    cellOf('t/one', { key: 's/a@t/one', verdict: 'pass', standing: 'improvement' }),
    cellOf('t/one', { key: 's/p[x=1]@t/one' }),
    cellOf('t/one', { key: 's/p[x=2]@t/one' }),
    cellOf('t/two', { key: 's/b@t/two', class: 'not_json', reason: null }),
  ];
  const found = changesOf(reportOf(cells), []);
  expect(found.map(({ kind, cells: keys, accept }) => [kind, keys.length, accept])).toEqual([
    ['lost', 2, ['s/p@t/one']],
    ['lost', 1, ['*@t/two']],
    ['gained', 1, ['s/a@t/one']],
  ]);
});

test('a target with a single model is no whole target, and the longest of two deviations counts', () => {
  const models = ['t/one', 'u/one', 'u/two'].map((id) => aReportModel(id));
  const cells = [cellOf('t/one', { key: 's/new@t/one' }), cellOf('t/one')];
  const runs = [
    { run: { started_at: '1', shard: false }, deviating: [], cells: { 's/p@t/one': 'pass 1/1' }, models: {} },
    { run: { started_at: '2', shard: false }, deviating: ['regression s/p@t/one'], cells: {}, models: {} },
    { run: { started_at: '3', shard: false } },
  ] as unknown as RunSummary[];
  const [change] = changesOf(reportOf(cells, { models }), runs);
  expect(change).toMatchObject({ scope: { code: 'one' }, since: { runs: 2, at: '2' } });
});

test.each([
  ['two flaws', ['extra_member', 'missing_member'], 2],
  ['one flaw', ['extra_member', 'extra_member'], 1],
  ['a flaw and none', ['extra_member', undefined], 1],
] as const)('cells of one class with %s', (_, flaws, changes) => {
  const cells = flaws.map((flaw, at) =>
    cellOf('t/one', {
      ...{ key: `s/c${at}@t/one`, class: 'schema_violation', reason: null },
      failures: [{ flaw, violations: [], exchange: null, exchanges: [] }] as unknown as ReportCell['failures'],
    }),
  );
  expect(changesOf(reportOf(cells), [])).toHaveLength(changes);
});
