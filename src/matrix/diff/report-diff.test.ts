import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { Recommendation, Report, ReportCell, ReportModel, ReportQuirk } from '../report-format.js';
import { diffModels, diffRuns, diffTargets } from './diff-reports.js';
import { comparedTooLittle, lostSomething } from './report-diff.js';
import { tableIn } from '../../../test/support/cases.js';

type Curve = readonly (readonly [number, number, number])[];
type Changes = Parameters<typeof aReportCell>[0];
const counted = (passed: number, total: number, changes: Changes = {}): Changes => ({
  verdict: passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky',
  ...(passed < total && { class: 'not_json' }),
  ...{ trials: { passed, total }, ...changes },
});
const unmeasured = (faults: number, changes: Changes = {}): Changes => ({
  ...{ verdict: 'inconclusive', class: 'transport', trials: { passed: 0, total: 0, faults }, ...changes },
});
const run = (cells: readonly Changes[], changes: Partial<Report> = {}): Report =>
  aReport({ models: [aReportModel()], cells: cells.map((cell) => aReportCell(cell)), ...changes });
const model = (changes: Partial<ReportModel>) => ({ models: [aReportModel(undefined, changes)] });

describe('a cell', () => {
  test.each(
    tableIn('matrix', 'cells compared') as readonly [string, Changes, Changes, 'lost' | 'gained' | 'rates' | null][],
  )('%s', (_, before, now, list) => {
    const diff = diffRuns(run([before]), run([now]));
    for (const name of ['lost', 'gained', 'rates'] as const) expect(diff[name]).toHaveLength(name === list ? 1 : 0);
    expect(lostSomething(diff)).toBe(list === 'lost');
    expect(comparedTooLittle(diff)).toBe(false);
  });

  test('is not compared where one side did not judge it', () => {
    const diff = diffRuns(run([counted(1, 1)]), run([unmeasured(1)]));
    expect([diff.compared, diff.onlyBase.length, comparedTooLittle(diff)]).toEqual([0, 1, true]);
  });
});

describe('a cell that fails on both sides', () => {
  const unexplained = {
    ...{ count: 1, step: null, detail: null, violations: [], exchange: null, exchanges: [] },
    ...{ traceresponse: null, response_id: null },
  };
  const way = (status: number, reason: 'unknown' | 'server_error' = 'unknown') => ({
    ...({ class: 'http_error', reason, status } as const),
    ...unexplained,
  });
  const failing = (failures: readonly ReturnType<typeof way>[], changes: Changes = {}) =>
    run([counted(0, 3, { failures, ...changes })]);
  const prose = { ...unexplained, class: 'not_json', reason: null, status: 200 } as const;

  test.each([
    ['in another way', failing([way(400)]), failing([way(500, 'server_error')]), 1],
    ['with another status', failing([way(400)]), failing([way(422)]), 1],
    ['in the same way', failing([way(400)]), failing([way(400)]), 0],
    ['in one of its ways', failing([way(400), way(500, 'server_error')]), failing([way(500, 'server_error')]), 0],
    ['also in a way of the other side', failing([way(400)]), failing([way(500, 'server_error'), way(400)]), 0],
    ['on one side only at times', run([counted(1, 3, { failures: [prose] })]), failing([way(400)]), 0],
    ['in ways that one side does not name', failing([]), failing([way(400)]), 0],
  ] as const)('%s', (_, base, head, shown) => {
    const diff = diffRuns(base, head);
    expect(diff.otherwise).toHaveLength(shown);
    expect([lostSomething(diff), diff.lost, diff.gained]).toEqual([false, [], []]);
  });
});

test('a model passes less often as a whole although no cell of it is lost', () => {
  const probes = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const of = (passed: number) => run(probes.map((probe) => counted(passed, 20, { probe })));
  const diff = diffRuns(of(20), of(18));
  expect(diff.lost).toEqual([]);
  expect(diff.whole).toMatchObject([{ base: { passed: 400, total: 400 }, head: { passed: 360, total: 400 } }]);
  expect(lostSomething(diff)).toBe(true);
});

describe('a model that cannot be compared', () => {
  test.each(
    tableIn('matrix', 'models that cannot be compared') as readonly [string, Partial<ReportModel>, object, boolean][],
  )('%s', (_, changes, expected, isLost) => {
    const diff = diffRuns(run([counted(2, 2)]), run([unmeasured(1)], model(changes)));
    expect(diff.models).toMatchObject([{ judged: 1, passed: 1, ...expected }]);
    expect(lostSomething(diff)).toBe(isLost);
  });
});

test.each<[string, readonly Changes[], boolean]>([
  ['all cells of a capability', [unmeasured(1, { probe: 'a' }), unmeasured(1, { probe: 'b' })], true],
  ['one of them', [unmeasured(1, { probe: 'a' }), counted(2, 2, { probe: 'b' })], false],
])('%s could not be measured', (_, cells, whole) => {
  const [stream, other] = [{ capability: 'stream.chat' }, counted(2, 2, { probe: 'c' })];
  const before = ['a', 'b'].map((probe) => counted(2, 2, { probe, ...stream }));
  const now = cells.map((cell) => ({ ...cell, ...stream }));
  const diff = diffRuns(run([...before, other]), run([...now, other]));
  expect(diff.unmeasured).toMatchObject([{ capability: 'stream.chat', whole }]);
  expect([lostSomething(diff), comparedTooLittle(diff)]).toEqual([false, whole]);
});

test.each(tableIn('matrix', 'thresholds compared') as readonly (readonly [string, Curve, Curve, boolean])[])(
  'a threshold %s',
  (_, before, now, significant) => {
    const at = (curve: readonly (readonly [number, number, number])[]): Changes => ({
      threshold: { value: curve.at(-1)?.[0] ?? null, last_failing: null, monotonic: true, curve },
    });
    expect(diffRuns(run([at(before)]), run([at(now)])).thresholds).toMatchObject([
      { base: 512, head: 1024, significant },
    ]);
  },
);

describe('a quirk', () => {
  const quirk = 'tool_call_index_missing';
  const sight = (changes: Partial<ReportQuirk> = {}): ReportQuirk => ({
    ...{ model: aReportModel().id, quirk, standing: 'new', seen: 3, of: 3, only: null, exchange: null },
    ...{ cells: [aReportCell().key], breaks: ['openai 6.49: throws'], reads: [], harms: [harm()], ...changes },
  });
  const harm = (always: readonly string[] = ['throws'], sometimes: readonly string[] = []) => ({
    ...{ client: 'openai 6.49', always, sometimes },
  });
  const silent = run([counted(3, 3)], { wire: [] });
  const showing = (changes?: Partial<ReportQuirk>) =>
    run([counted(3, 3, { quirks: [quirk] })], { wire: [sight(changes)] });

  test('that became the rule loses the clients that it breaks', () => {
    const diff = diffRuns(silent, showing());
    expect(diff.wire).toMatchObject([{ change: 'became the rule', loses: ['openai 6.49: throws'] }]);
    expect(lostSomething(diff)).toBe(true);
    expect(diffRuns(showing(), silent).wire).toMatchObject([{ change: 'ended', loses: [] }]);
  });

  test.each<[string, Partial<ReportQuirk>, number]>([
    ['too seldom', { seen: 2, of: 2 }, 0],
    ['in part of the answers', { of: 4 }, 0],
    ['without named clients', { harms: undefined as unknown as [] }, 1],
    ['that breaks a client only sometimes', { harms: [harm([], ['throws'])] }, 1],
    ['that breaks only careless code', { harms: [harm(['needs ?.'])] }, 1],
    // Whatever the words say.
    ['that harms no client', { harms: [] }, 1],
  ])('shown %s loses nothing', (_, changes, shown) => {
    const diff = diffRuns(silent, showing(changes));
    expect(diff.wire).toHaveLength(shown);
    expect(lostSomething(diff)).toBe(false);
  });
});

describe('two models of a run', () => {
  const [old, fresh] = ['demo/old', 'demo/new'];
  const advice = (id: string, form: string | null): Recommendation => ({
    ...{ model: id, need: 'tool_call', form, settings: {}, request: { max_tokens: 9 }, because: '.', alternatives: [] },
  });
  const cells: readonly ReportCell[] = [
    aReportCell({ ...counted(3, 3), model: old }),
    aReportCell({ ...counted(0, 3), model: fresh }),
  ];
  const behaviour = { id: 'b', model: fresh, title: 'It breaks', cells: [cells[1]!.key], advice: 'Do not.' };
  const report = aReport({
    ...{ models: [old, fresh].map((id) => aReportModel(id)), cells, behaviours: [behaviour] },
    recommendations: [advice(old, 'tools'), advice(fresh, null)],
  });

  test('are compared cell by cell, with the cause and what to send', () => {
    const diff = diffModels(report, report, 'old', fresh);
    expect(diff.lost).toMatchObject([{ cell: 'suite/probe', behaviour: 'It breaks' }]);
    expect(diff.needs).toMatchObject([{ need: 'tool_call', base: { form: 'tools' }, head: { form: null } }]);
    expect(diff.behaviours).toEqual([behaviour]);
    expect(diffModels(report, report, fresh, old)).toMatchObject({ gained: [{}], behaviours: [] });
  });

  test('are named by what is there', () => {
    expect(() => diffModels(report, report, 'older', fresh)).toThrow(/demo\/old, demo\/new/);
    expect(() => diffTargets(report, report, 'demo', 'nowhere')).toThrow(/demo/);
  });
});

test.each<[string, readonly string[], readonly string[], number]>([
  ['another version', ['m-10'], ['m-11'], 1],
  ['one more', ['m-10'], ['m-10', 'm-11'], 0],
  ['a name where there was none', [], ['m-11'], 0],
])('a model that is served as %s', (_, before, now, told) => {
  const of = (served: readonly string[]) => run([counted(1, 1)], model({ served }));
  expect(diffRuns(of(before), of(now)).served).toHaveLength(told);
});
