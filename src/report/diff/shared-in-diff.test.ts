import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { diffModels, diffRuns, lostSomething } from '../../matrix/diff/diff-reports.js';
import type { Report } from '../../matrix/report-format.js';
import { redactor } from '../safe/redact.js';
import { renderDiffMarkdown } from './render-diff.js';

/** Of sixty cells of a model, some failed once and then passed five times: none of them proves it. */

type Changes = Parameters<typeof aReportCell>[0];

const once: Changes = { verdict: 'pass', trials: { passed: 1, total: 1 } };
const failedOnce: Changes = {
  ...{ verdict: 'flaky', class: 'malformed_response', reason: 'server_error' },
  ...{ fresh: { suspicion: 'regression', passed: 5, total: 5, p_value: null }, trials: { passed: 5, total: 6 } },
};
const kind = { class: 'malformed_response', reason: 'server_error' } as const;

function modelOf(model: string, failing: number, shared: Partial<SharedFailure> | null) {
  const cells = Array.from({ length: 60 }, (_, index) =>
    aReportCell({
      ...(index < failing ? failedOnce : once),
      ...{ suite: `family-${index % 6}`, probe: `cell-${index}`, capability: `capability-${index % 12}`, model },
    }),
  );
  const keys = Object.fromEntries(cells.slice(0, failing).map(({ key }) => [key, 1]));
  const known = { runs: 1, failed: failing, total: 60, before: { failed: 0, total: 60 }, cells: keys, alarm: true };
  const shared_failures = shared === null ? undefined : [{ ...kind, ...known, ...shared }];
  return { cells, model: aReportModel(model, shared_failures && { shared_failures }) };
}
const reportOf = (...all: readonly ReturnType<typeof modelOf>[]): Report =>
  aReport({ models: all.map(({ model }) => model), cells: all.flatMap(({ cells }) => cells) });

const textOf = (diff: Parameters<typeof renderDiffMarkdown>[0]) => renderDiffMarkdown(diff, redactor());

describe('a diff tells of a failure that spoils a share of all answers', () => {
  const [good, bad] = [modelOf('demo/one', 0, null), modelOf('demo/one', 12, {})];

  test('between two runs, as a loss', () => {
    const diff = diffRuns(reportOf(good), reportOf(bad));
    expect(diff.shared_failures).toMatchObject([
      { ...kind, model: 'demo/one', failed: 12, total: 60, base: { passed: 60, total: 60 } },
    ]);
    expect(lostSomething(diff)).toBe(true);
  });

  test('between two models, in both directions', () => {
    const report = reportOf(bad, modelOf('demo/two', 0, null));
    expect(lostSomething(diffModels(report, report, 'demo/two', 'demo/one'))).toBe(true);
    const back = diffModels(report, report, 'demo/one', 'demo/two');
    expect([back.shared_failures, lostSomething(back)]).toEqual([undefined, false]);
  });

  test('as chance where the base fails as often, or while it is in doubt', () => {
    const asOften = modelOf('demo/two', 12, null);
    const report = reportOf(bad, asOften);
    const diff = diffModels(report, report, 'demo/two', 'demo/one');
    expect(diff.shared_failures).toMatchObject([{ base: { passed: 48, total: 60 } }]);
    expect(lostSomething(diff)).toBe(false);
    expect(lostSomething(diffRuns(reportOf(good), reportOf(modelOf('demo/one', 5, { alarm: false }))))).toBe(false);
  });

  test('not where the base shows it as well', () => {
    const diff = diffRuns(reportOf(bad), reportOf(bad));
    expect(diff).not.toHaveProperty('shared_failures');
  });

  test('in words that people read, and never beside "nothing lost"', () => {
    const text = textOf(diffRuns(reportOf(good), reportOf(modelOf('demo/one', 6, {}))));
    expect(text).toMatch(/More answers fail/);
    expect(text.replaceAll('\\', '')).toContain(
      '6 of 60 answers fail with malformed_response (server_error); against 0 of 60 in the same cells',
    );
    expect(text).not.toMatch(/nothing/i);
  });
});
