import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { commands, markup } from '../../../test/support/hostile-texts.js';
import { acting, foreignElements, proseOf, textOf } from '../../../test/support/rendered-markdown.js';
import { verdicts } from '../../cell/verdict.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import type { History } from '../history/history.js';
import { summaryOf } from '../history/run-summary.js';
import { redactor } from '../safe/redact.js';
import { type Issue, issueOf } from './render-issue.js';

const redact = redactor();
const fine = (probe: string): ReportCell => aReportCell({ probe, standing: 'as_expected' });
const lost = (probe: string): ReportCell =>
  aReportCell({ probe, standing: 'regression', verdict: 'fail', class: 'not_json', detail: 'prose' });
const unmeasured = (probe: string): ReportCell => aReportCell({ probe, verdict: 'inconclusive', class: 'transport' });

/** A run of each day of November, from these cells. */
const runOn = (day: number, cells: readonly ReportCell[], run: Partial<Report['run']> = {}): Report => {
  const made = aReport({ cells });
  const started_at = `2026-11-${String(day).padStart(2, '0')}T03:00:00.000Z`;
  return { ...made, run: { ...made.run, id: `r${day}`, started_at, ...run } };
};

const after = (...earlier: readonly Report[]): { readonly history: History } => ({
  history: {
    ...{ from: 'runs', unreadable: [] },
    runs: earlier.map((one) => ({ ...summaryOf(one, undefined), folder: one.run.id, page: null })),
  },
});

const issue = (report: Report, context: { readonly history?: History } = {}): Issue =>
  issueOf(report, { redact, folder: 'reports/latest', ...context });

/** The night of a run with a new quirk. */
const quirky = (report: Report, standing: 'new' | 'as_expected' = 'new', of = 5): Report => ({
  ...report,
  wire: [
    {
      ...{
        model: 'demo/one',
        quirk: 'empty_choices_chunk',
        standing,
        seen: standing === 'new' ? of : 0,
        of,
        only: null,
      },
      ...{ cells: ['suite/a@demo/one'], breaks: [], exchange: null },
    },
  ],
});

describe('a change of the wire', () => {
  const [whole, part] = [
    [fine('a'), fine('b')],
    [fine('a'), unmeasured('b')],
  ];
  test.each<[string, Report, Issue['state']]>([
    ['is gone after a whole run without it', runOn(19, whole), 'closed'],
    ['is gone where it could show and did not', quirky(runOn(19, part), 'as_expected'), 'closed'],
    ['may still be there where it could hardly show', quirky(runOn(19, part), 'as_expected', 2), null],
    ['may still be there where cells were not measured', runOn(19, part), null],
    [
      'may still be there where a filter left out its cells',
      runOn(19, whole, { filters: { only: ['suite/b'] } }),
      null,
    ],
  ])('%s', (_, report, state) => {
    expect(issue(report, after(quirky(runOn(18, whole)))).state).toBe(state);
  });
});

describe('the issue that tracks deviations', () => {
  test('opens when something deviates, says since when and what is new, and closes when it is gone', () => {
    const nights = [
      runOn(17, [fine('a'), fine('b')]),
      runOn(18, [lost('a'), fine('b')]),
      runOn(19, [lost('a'), lost('b')]),
      runOn(20, [fine('a'), lost('b')]),
      runOn(21, [fine('a'), fine('b')]),
    ];
    const issues = nights.map((night, index) => issue(night, after(...nights.slice(0, index))));
    expect(issues.map(({ state, title }) => `${state ?? '?'}: ${title}`)).toEqual([
      'closed: Conformance: no deviations',
      'open: Conformance: 1 cell lost',
      'open: Conformance: 2 cells lost',
      'open: Conformance: 1 cell lost',
      'closed: Conformance: no deviations',
    ]);
    expect(issues.map(({ comment }) => comment?.replaceAll(/\s+/g, ' ') ?? null)).toEqual([
      null,
      'Since the run before, in the run that started 2026\\-11\\-18T03:00:00.000Z: New: - `regression suite/a@demo/one` ',
      'Since the run before, in the run that started 2026\\-11\\-19T03:00:00.000Z: New: - `regression suite/b@demo/one` ',
      'Since the run before, in the run that started 2026\\-11\\-20T03:00:00.000Z: Gone: - `regression suite/a@demo/one` ',
      'Since the run before, in the run that started 2026\\-11\\-21T03:00:00.000Z: Gone: - `regression suite/b@demo/one` Nothing deviates any more. ',
    ]);
    expect(textOf(issues[2]!.body)).toContain('the first of them since the run of 2026-11-18 (2 runs)');
    expect(textOf(issues[2]!.body)).toMatch(/New in this run\s+regression suite\/b@demo\/one/);
    expect(issues[1]!.fingerprint).not.toBe(issues[2]!.fingerprint);
    expect(issue(nights[1]!).fingerprint).toBe(issues[1]!.fingerprint);
    expect(issues[1]).toMatchObject({ format: 'chatspec-issue/1', labels: ['chatspec'] });
  });

  test.each<[string, Report, readonly Report[], Issue['state']]>([
    [
      'stays as it is while what deviated is not measured',
      runOn(19, [unmeasured('a'), fine('b')]),
      [runOn(18, [lost('a'), fine('b')])],
      null,
    ],
    [
      'stays so over several such nights',
      runOn(20, [unmeasured('a')]),
      [runOn(18, [lost('a')]), runOn(19, [unmeasured('a')])],
      null,
    ],
    [
      'closes although something else was not measured',
      runOn(19, [fine('a'), unmeasured('b')]),
      [runOn(18, [lost('a'), fine('b')])],
      'closed',
    ],
    [
      'stays as it is without earlier runs, if something was not measured',
      runOn(19, [fine('a'), unmeasured('b')]),
      [],
      null,
    ],
    [
      'stays as it is if a filter left out what deviated',
      runOn(19, [fine('b')], { filters: { only: ['suite/b'] } }),
      [runOn(18, [lost('a'), fine('b')])],
      null,
    ],
    [
      'stays as it is if only a part was asked again',
      runOn(19, [fine('b')], { last_failed: { run: 'r18', of: 9 } } as Partial<Report['run']>),
      [runOn(18, [lost('a'), lost('b')])],
      null,
    ],
    [
      'closes if what deviated was removed from the suites',
      runOn(19, [fine('b')], { filters: { tags: 'nightly' } }),
      [runOn(18, [lost('a'), fine('b')], { filters: { tags: 'nightly' } })],
      'closed',
    ],
    [
      'opens for a truncated run that found something',
      { ...runOn(19, [lost('a')]), run: { ...runOn(19, []).run, complete: false } },
      [],
      'open',
    ],
  ])('%s', (_, report, earlier, state) => {
    expect(issue(report, after(...earlier)).state).toBe(state);
  });

  test('of a form that fails at times, neither calls the cells of then gone nor those of now new', () => {
    const atTimes = (probe: string, more: Partial<ReportCell> = {}): ReportCell => ({
      ...{
        ...lost(probe),
        verdict: 'flaky',
        capability: 'json_schema',
        trials: { ...lost(probe).trials, passed: 9, total: 20 },
      },
      ...more,
    });
    const passing = (probe: string, capability = 'json_schema') => ({ ...fine(probe), capability });
    const then = runOn(18, [atTimes('a'), passing('b')]);
    const now = issue(runOn(19, [passing('a'), atTimes('b')]), after(then));
    expect(now.comment).toBeNull();
    expect(now.state).toBe('open');
    expect(textOf(now.body)).not.toMatch(/New in this run|Gone since/);
    expect(textOf(now.body)).toMatch(/Failing at times, as others .*\s+regression suite\/b@demo\/one/);
    expect(textOf(now.body)).toMatch(/Not failing this time, while others .*\s+regression suite\/a@demo\/one/);
    // A cell that never passes, or of another capability, is news.
    for (const other of [{ ...lost('b'), capability: 'json_schema' }, atTimes('b', { capability: 'tools' })]) {
      const { body } = issue(runOn(19, [passing('a'), other]), after(then));
      expect(textOf(body)).toMatch(/New in this run\s+regression suite\/b/);
      expect(textOf(body)).toMatch(/Gone since the run before\s+regression suite\/a/);
    }
    const mended = issue(runOn(19, [passing('a'), passing('b')]), after(then));
    expect(textOf(mended.body)).toMatch(/Gone since the run before\s+regression suite\/a/);
  });

  test('counts a model that is gone, and stays open while it did not answer', () => {
    const gone = { ...runOn(18, []), models: [aReportModel(undefined, { standing: 'gone', reachable: false })] };
    const silent = { ...runOn(19, []), models: [aReportModel(undefined, { reachable: false })] };
    expect(issue(gone)).toMatchObject({ state: 'open', title: 'Conformance: 1 model gone' });
    expect(issue(silent, after(gone)).state).toBeNull();
    expect(issue(runOn(19, []), after(gone)).state).toBe('closed');
  });

  test('leaves the deviations of a shard to merge', () => {
    const notes = ['shard 1 of 3: join all shards with chatspec merge to judge the whole run'];
    expect(issue(runOn(18, [lost('a')], { notes })).state).toBeNull();
  });

  test('never closes while something deviates or may do so', () => {
    const cell = fc.record({
      probe: fc.constantFrom('a', 'b', 'c'),
      verdict: fc.constantFrom(...verdicts),
      bad: fc.boolean(),
    });
    const night = fc.uniqueArray(cell, { selector: ({ probe }) => probe, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(night, { minLength: 1, maxLength: 5 }), (nights) => {
        const runs = nights.map((cells, index) =>
          runOn(
            index + 1,
            cells.map(({ probe, verdict, bad }) =>
              ['pass', 'fail', 'flaky'].includes(verdict)
                ? bad
                  ? lost(probe)
                  : fine(probe)
                : aReportCell({ probe, verdict }),
            ),
          ),
        );
        const today = runs.at(-1)!;
        const { state } = issue(today, after(...runs.slice(0, -1)));
        if (deviationsOf(today).length > 0) expect(state).toBe('open');
        else if (state === 'closed') {
          for (const probe of ['a', 'b', 'c']) {
            const last = runs.findLast(({ cells }) =>
              cells.some((one) => one.probe === probe && one.standing !== null),
            );
            const wasLost = last?.cells.some((one) => one.probe === probe && one.standing === 'regression') ?? false;
            const planned = today.cells.find((one) => one.probe === probe);
            if (wasLost && planned !== undefined) expect(planned.verdict).toBe('blocked');
          }
        }
      }),
    );
  });

  test.each([
    commands,
    markup,
    '@octocat fixes #1, closes org/repo#2 https://github.com/o/r/issues/3\n/close\n/assign @me',
  ])('makes no text of others act: %j', (said) => {
    const cells = [0, 1].map((index) =>
      aReportCell({
        ...{
          probe: `p${index}`,
          model: said,
          verdict: 'fail',
          class: 'not_json',
          standing: 'regression',
          detail: said,
        },
        expected: {
          verdict: 'pass',
          class: null,
          reason: null,
          status: null,
          passed: null,
          total: null,
          date: null,
          note: said,
          link: said,
          threshold: null,
        },
      }),
    );
    const report = { ...aReport({ cells, models: [aReportModel(said, { standing: 'gone', reachable: false })] }) };
    const { title, body, comment } = issue(report, after(runOn(1, [])));
    expect(title).toBe('Conformance: 2 cells lost, 1 model gone');
    for (const shown of [body, comment!]) {
      expect(foreignElements(shown)).toEqual([]);
      expect(proseOf(shown)).not.toMatch(acting);
      expect(shown).not.toMatch(/^\s*(?:::|\/\w)/m);
    }
  });

  test('fits into an issue however much deviates, and says what is left out', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      ...lost(`probe-${index}`.padEnd(900, 'x')),
      ...{ class: 'http_error' as const, status: 400 + index, detail: `x${index} ${'y'.repeat(500)}` },
    }));
    const { body, comment } = issue(runOn(18, many), after(runOn(17, [])));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000);
    expect(body).toContain('only room for 60 kB in an issue');
    expect(Buffer.byteLength(comment!)).toBeLessThan(60_000);
    expect(comment).toContain('and 270 others');
  });
});

describe('a failure that cells of a model share', () => {
  const kind = { class: 'malformed_response', reason: 'server_error' } as const;
  /** A night in which these cells show it, for the nth time in a row. */
  const spoilt = (day: number, failing: readonly string[], runs: number): Report => {
    const figures = { ...kind, runs, failed: 12 * runs, total: 80 * runs, before: { failed: 0, total: 80 } };
    const cells = ['a', 'b', 'c'].map((probe) =>
      failing.includes(probe)
        ? aReportCell({ probe, standing: 'regression', verdict: 'flaky', ...kind, shared: figures })
        : fine(probe),
    );
    const night = runOn(day, cells);
    const shared_failures = runs === 0 ? [] : [{ ...figures, cells: {}, alarm: true }];
    return { ...night, models: [aReportModel('demo/one', { shared_failures })] };
  };
  const nights = [spoilt(18, [], 0), spoilt(19, ['a'], 1), spoilt(20, ['b'], 2), spoilt(21, [], 0)];
  const issueAfter = (index: number) => issue(nights[index]!, after(...nights.slice(0, index)));

  test('is news once, and goes on in whichever cells show it', () => {
    expect(issueAfter(1).comment).toMatch(/New:/);
    expect(issueAfter(2).comment).toBeNull();
    const body = textOf(issueAfter(2).body);
    expect(body).toContain('for 2 runs in a row');
    expect(body).not.toMatch(/New in this run|Gone since/);
  });

  test('is gone when no cell shows it any more', () => {
    expect(issueAfter(3)).toMatchObject({ state: 'closed' });
    expect(issueAfter(3).comment).toMatch(/Gone:/);
  });
});
