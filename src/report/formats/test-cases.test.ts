import fc from 'fast-check';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { schema } from 'ctrf';
import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { casesIn, junitProblems, parseXml } from '../../../test/support/junit-structure.js';
import { commands, markup } from '../../../test/support/hostile-texts.js';
import { standings, verdicts } from '../../cell/verdict.js';
import type { ExpectedCell, Report, ReportCell, ReportQuirk } from '../../matrix/report-format.js';
import { type ExitConditions, exitCode, unmeasured } from '../../matrix/run-exit-code.js';
import { renderCtrf } from './render-ctrf.js';
import { renderJunit } from './render-junit.js';
import { runSummaryOf } from '../../matrix/run-summary.js';
import { redactor } from '../safe/redact.js';
import { testCases } from './test-cases.js';
import { tableIn } from '../../../test/support/cases.js';

const isCtrf = addFormats.default(new Ajv({ strict: false })).compile(schema);

const known: ExpectedCell = {
  ...{
    verdict: 'fail',
    class: 'http_error',
    reason: 'tool_choice_unsupported',
    status: 500,
    passed: null,
    total: null,
  },
  ...{ trials: 12, date: '2026-11-20', note: 'asked vendor', link: 'https://example.com/1', threshold: null },
};
const failure = { verdict: 'fail', class: 'http_error', reason: 'tool_choice_unsupported', status: 500 } as const;
const conditions: ExitConditions = { failOn: 'deviation', interrupted: false, maxUnmeasured: 0.1, shard: false };

/** State and type of the only cell, and whether it says why. */
const caseOf = (changes: Partial<ReportCell>, report: Partial<Report> = {}) => {
  const [found] = testCases(aReport({ cells: [aReportCell(changes)], ...report }), {
    exit: { ...conditions, maxUnmeasured: 1 },
  });
  return `${found?.state ?? ''} ${found?.type ?? '-'} ${found?.message ? 'with a reason' : '-'}`;
};

describe('a cell as a test case', () => {
  test.each(tableIn('report', 'cells as test cases') as readonly [string, Partial<ReportCell>, string][])(
    '%s',
    (_, changes, wanted) => {
      expect(caseOf(changes)).toBe(wanted);
    },
  );

  test('is skipped where its model is gone as announced, and no deviation of a shard fails', () => {
    const models = [aReportModel(undefined, { standing: 'gone', reachable: false, retired: true })];
    expect(caseOf({ verdict: 'inconclusive' }, { models })).toBe('skipped retired with a reason');
    const { run } = aReport();
    const shard = { index: 1, of: 3 };
    expect(caseOf({ ...failure, standing: 'new' }, { run: { ...run, shard } })).toBe('skipped shard with a reason');
  });
});

test('each deviation of a model is told by its own change, with what to do about it', () => {
  const wire = ['id_missing', 'usage_missing'].map((quirk) => ({ ...aQuirk, quirk, standing: 'new' as const }));
  const cell = aReportCell({ ...failure, standing: 'regression', expected: null });
  const [ofCell, one, other] = testCases(aReport({ cells: [cell], wire })).filter(({ state }) => state === 'failed');
  expect(one?.message).not.toBe(other?.message);
  expect([ofCell, one, other].map((found) => (found?.lines.at(-1) ?? '').endsWith('.'))).toEqual([true, true, true]);
});

describe('the run as a test case', () => {
  const runCaseOf = (report: Report, ended: Parameters<typeof testCases>[1]) =>
    testCases(report, ended)
      .filter(({ cell }) => cell === null)
      .map(({ state, type }) => `${state} ${type ?? ''}`);
  const half = aReport({ cells: [aReportCell(), aReportCell({ probe: 'b', verdict: 'not_run' })] });
  const summary = (exit_code: 0 | 1 | 3 | 130) => ({
    summary: { ...runSummaryOf(half, undefined), exit_code },
  });

  test('is there only if too little was measured', () => {
    expect(runCaseOf(half, { exit: conditions })).toEqual(['error not_measured']);
    expect(runCaseOf(half, { exit: { ...conditions, maxUnmeasured: 0.5 } })).toEqual([]);
    expect(runCaseOf({ ...half, cells: [] }, { exit: { ...conditions, interrupted: true } })).toEqual([
      'error interrupted',
    ]);
    expect(runCaseOf(aReport({ complete: false }), {})).toEqual(['error not_measured']);
  });

  test('follows what the run folder knows when it is rendered again', () => {
    expect(runCaseOf(half, summary(0))).toEqual([]);
    expect(runCaseOf(half, summary(1))).toHaveLength(1);
    expect(runCaseOf(aReport(), summary(130))).toHaveLength(1);
  });
});

const aQuirk: ReportQuirk = {
  ...{ model: 'demo/one', quirk: 'done_missing', standing: 'new', seen: 3, of: 3, only: 'all' },
  ...{ cells: [], breaks: [], exchange: null },
};

/** Any report that a run could end with, and many that none could. */
const reports = fc
  .record({
    complete: fc.boolean(),
    gone: fc.constantFrom('known', 'gone', 'retired'),
    wire: fc.constantFrom('as_expected', 'new', 'gone', null),
    shard: fc.boolean(),
    cells: fc.array(
      fc.record({
        verdict: fc.constantFrom(...verdicts),
        standing: fc.constantFrom(...standings, null),
        unsettled: fc.boolean(),
        asked_for: fc.constantFrom('condition', undefined),
        missing: fc.constantFrom(0, 0, 0, 4),
        text: fc.constantFrom(commands, markup, ']]> & <c> "d" \u0000\ufffe', null),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ complete, gone, wire, shard, cells }): Report => {
    const second = {
      id: 'demo/two',
      reachable: gone === 'known',
      standing: gone === 'known' ? 'known' : 'gone',
      retired: gone === 'retired',
    } as const;
    const made = aReport({
      complete,
      models: [aReportModel(), aReportModel('demo/two', second)],
      cells: cells.map(({ text, missing, standing, asked_for, ...cell }, index) =>
        aReportCell({
          ...cell,
          ...{ probe: `p${index}`, model: index % 3 === 2 ? 'demo/two' : 'demo/one', detail: text },
          ...(asked_for !== undefined && { asked_for: 'condition' as const }),
          // Nothing else is judged, and only what is judged has a standing.
          standing: ['pass', 'fail', 'flaky'].includes(cell.verdict) ? standing : null,
          expected: text === null ? null : { ...known, note: text },
          trials: { ...(missing > 0 && { missing }) },
        }),
      ),
      ...(wire !== null && { wire: [{ ...aQuirk, standing: wire }] }),
    });
    return { ...made, run: { ...made.run, ...(shard && { shard: { index: 1, of: 3 } }) } };
  });

describe('the colour of the files is that of the exit code', () => {
  const redact = redactor();
  const exchanges = async function* () {};

  test('junit.xml has no failure and no error if the exit code is 0, but for the cells that max_unmeasured tolerates', async () => {
    await fc.assert(
      fc.asyncProperty(reports, fc.boolean(), async (report, interrupted) => {
        const shard = report.run.shard !== undefined;
        const exit = { ...conditions, interrupted, shard };
        const code = exitCode(report, exit);
        const root = parseXml(await renderJunit(report, { redact, exchanges, exit }));
        expect(junitProblems(root)).toEqual([]);
        const cases = casesIn(root);
        const having = (name: string) => cases.filter(({ children }) => children.some((child) => child.name === name));
        const [failures, errors] = [having('failure'), having('error')];
        if (code === 1) {
          expect(failures).not.toHaveLength(0);
        } else if (!interrupted) {
          expect(failures).toHaveLength(0);
        }
        if (code === 3 || code === 130) expect(errors).not.toHaveLength(0);
        if (code === 0) {
          expect(unmeasured(report)).toBeLessThanOrEqual(exit.maxUnmeasured);
          const tolerated = report.cells.filter(
            ({ verdict, trials }) =>
              verdict === 'inconclusive' ||
              verdict === 'not_run' ||
              (verdict === 'blocked' && (trials.missing ?? 0) > 0),
          );
          expect(errors.length).toBeLessThanOrEqual(tolerated.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('ctrf.json has a failed test if and only if the exit code is not 0', async () => {
    await fc.assert(
      fc.asyncProperty(reports, fc.boolean(), async (report, interrupted) => {
        const exit = { ...conditions, interrupted, shard: report.run.shard !== undefined };
        const document = JSON.parse(await renderCtrf(report, { redact, exchanges, exit })) as Ctrf;
        expect(isCtrf(document), JSON.stringify(isCtrf.errors)).toBe(true);
        const { summary, tests } = document.results;
        expect(tests.some(({ status }) => status === 'failed')).toBe(exitCode(report, exit) !== 0);
        const { passed, failed, skipped, other } = summary;
        expect(passed + failed + skipped + other).toBe(tests.length);
        expect(tests).toHaveLength(summary.tests);
      }),
      { numRuns: 300 },
    );
  });
});

interface Ctrf {
  readonly results: {
    readonly summary: Readonly<Record<'tests' | 'passed' | 'failed' | 'skipped' | 'other', number>>;
    readonly tests: readonly { readonly status: string }[];
  };
}
