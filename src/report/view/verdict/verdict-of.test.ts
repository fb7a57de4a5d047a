import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../../test/support/build.js';
import { type ExitConditions, type FailOn, exitCode } from '../../../matrix/run-exit-code.js';
import type { ExpectedCell, Report, ReportCell } from '../../../matrix/report-format.js';
import { causesOf } from '../causes/causes-of.js';
import { verdictOf } from './verdict-of.js';

const conditions = (changes: Partial<ExitConditions> = {}): ExitConditions => ({
  ...{ failOn: 'deviation', interrupted: false, maxUnmeasured: 0.1, shard: false },
  ...changes,
});
const verdict = (report: Report, exit?: ExitConditions) =>
  verdictOf(report, causesOf(report, 'r'), { folder: 'r', exit });
const expected: ExpectedCell = {
  ...{ verdict: 'pass', class: null, reason: null, status: null, passed: null, total: null, trials: 12 },
  ...{ date: null, note: null, link: null, threshold: null },
};
const failure = { verdict: 'fail', class: 'not_json', reason: null, status: 200 } as const;
const fine = (probe: string): ReportCell => aReportCell({ probe, standing: 'as_expected', expected });
const lost = aReportCell({ probe: 'lost', standing: 'regression', expected, ...failure });
const gained = aReportCell({
  ...{ probe: 'gained', standing: 'improvement' },
  expected: { ...expected, ...failure, date: '2026-11-01', trials: 2 },
});
const fresh = aReportCell({ probe: 'new', standing: 'new', ...failure });

describe('the verdict', () => {
  test.each<[string, Partial<Report>, Partial<ExitConditions>, string, string]>([
    [
      'all as before',
      { cells: [fine('a'), fine('b')] },
      {},
      'good',
      'Nothing has changed: all 2 judged cells are as the baseline expects (exit code 0)',
    ],
    [
      'a loss, and a gain beside it',
      { cells: [fine('a'), lost, gained] },
      {},
      'bad',
      '1 cell lost; 1 cell gained, which is good news (exit code 1: a deviation from the baseline)',
    ],
    [
      'a gain alone, which is no alarm',
      { cells: [fine('a'), gained] },
      {},
      'good',
      'Nothing was lost: 1 cell gained (exit code 1: good news is a deviation too, until it is accepted)',
    ],
    [
      'a new cell that fails, beside cells that are known',
      { cells: [fine('a'), fresh] },
      {},
      'open',
      'Nothing was lost, but 1 new cell does not pass (exit code 1: a deviation from the baseline)',
    ],
    [
      'a first run',
      { cells: [fresh, aReportCell({ standing: 'new' })] },
      {},
      'open',
      'No baseline covers these 2 judged cells yet: 1 new cell does not pass (exit code 1: a deviation)',
    ],
    [
      'a loss that the options leave out of the exit code',
      { cells: [fine('a'), lost] },
      { failOn: 'never' },
      'bad',
      '1 cell lost (exit code 0: with --fail-on never)',
    ],
    [
      'a shard',
      { cells: [fine('a'), lost] },
      { shard: true },
      'bad',
      '1 cell lost (exit code 0: a shard leaves deviations to chatspec merge)',
    ],
    [
      'cells that do not pass, with --fail-on fail',
      { cells: [fine('a'), { ...fine('b'), ...failure, expected: { ...expected, ...failure } }] },
      { failOn: 'fail' },
      'open',
      'Nothing has changed: all 2 judged cells are as the baseline expects, the 1 cell that does not pass included (exit code 1: a cell that does not pass, with --fail-on fail)',
    ],
    [
      'too little measured',
      { cells: [fine('a'), aReportCell({ probe: 'b', verdict: 'inconclusive' })] },
      {},
      'open',
      'Too little could be measured: 50 % of the plan is missing, which says nothing about the models (exit code 3)',
    ],
    [
      'an interrupted run that had found something',
      { cells: [fine('a'), lost] },
      { interrupted: true },
      'bad',
      'The run was interrupted, so part of it was not measured; until then, 1 cell lost (exit code 130)',
    ],
  ])('%s', (_, changes, exit, tone, sentence) => {
    expect(verdict(aReport(changes), conditions(exit))).toMatchObject({ tone, sentence });
  });

  test('does not claim that all is as expected while a cell looks different', () => {
    const cells = [
      aReportCell({ standing: 'as_expected' }),
      aReportCell({ probe: 'b', standing: 'regression', unsettled: true }),
    ];
    const { sentence } = verdictOf(aReport({ cells }), [], { folder: null });
    expect(sentence).toBe(
      'Nothing is known to have changed, but 1 of 2 judged cells looks different, which too few trials show (by default, exit code 0)',
    );
  });

  test('says that the exit code is assumed where the options of the run are not known', () => {
    expect(verdict(aReport({ cells: [lost] })).sentence).toContain('(by default, exit code 1: ');
    const shard = aReport({ cells: [lost] });
    const notes = ['shard 1 of 3: join all shards with chatspec merge to judge the whole run'];
    expect(verdict({ ...shard, run: { ...shard.run, notes } }).exit.code).toBe(0);
  });

  test('never gives another exit code than the run', () => {
    const all = [fine('a'), lost, gained, fresh, aReportCell({ probe: 'x', verdict: 'inconclusive' })];
    const subsets = Array.from({ length: 32 }, (_, bits) => all.filter((__, index) => (bits >> index) & 1));
    const models = [aReportModel(), aReportModel('demo/two', { standing: 'gone', reachable: false })];
    for (const cells of subsets) {
      for (const failOn of ['deviation', 'regression', 'fail', 'never'] satisfies FailOn[]) {
        for (const interrupted of [false, true]) {
          for (const report of [aReport({ cells }), aReport({ cells, models }), aReport({ cells, complete: false })]) {
            const exit = conditions({ failOn, interrupted });
            const { code } = verdict(report, exit).exit;
            expect(code).toBe(exitCode(report, exit));
            expect(verdict(report, exit).sentence).toContain(`exit code ${code}`);
          }
        }
      }
    }
  });

  test('counts each kind by itself, and says what the baseline knows', () => {
    const { counts, baseline } = verdict(aReport({ cells: [fine('a'), lost, gained, fresh] }), conditions());
    expect(counts.map(({ glyph, text }) => `${glyph} ${text}`)).toEqual([
      '▼ 1 cell lost',
      '● 1 new cell does not pass',
      '▲ 1 cell gained',
    ]);
    expect(baseline).toEqual({
      ...{ date: '2026-11-01', judged: 4, covered: 3, provisional: 1, leastTrials: 2 },
      sentence:
        'Compared with a baseline that covers 3 of 4 judged cells (the newest entry accepted on 2026-11-01); 1 of them only provisionally, from 2 trials',
    });
  });
});
