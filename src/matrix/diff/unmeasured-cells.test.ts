import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { redactor } from '../../report/safe/redact.js';
import { renderDiffTerminal } from '../../report/diff/render-diff.js';
import type { Report, ReportCell, ReportUnmeasured } from '../report-format.js';
import { comparedTooLittle, diffModels, diffRuns, diffTargets, lostSomething } from './diff-reports.js';
import type { ReportDiff } from './report-diff.js';

/** What passed on one side and got no usable answer on the other is neither kept nor lost, and no comparison may hide it. */

const missing = {
  verdict: 'inconclusive',
  class: 'transport',
  detail: 'the stream was cut',
  trials: { total: 0, passed: 0, faults: 1, needed: 0, interval: [0, 1] },
} as const;

/** A model with ten cells, of which these could not be measured. */
function cellsOf(model: string, unmeasured: readonly number[], changes: Partial<ReportCell> = {}): ReportCell[] {
  return Array.from({ length: 10 }, (_, at) =>
    aReportCell({
      ...{ model, probe: `p${at}`, capability: at < 2 ? 'stream' : `c${at}` },
      ...(unmeasured.includes(at) ? { ...missing, ...changes } : {}),
    }),
  );
}

const of = (
  unmeasured: Readonly<Record<string, readonly number[]>>,
  groups: readonly ReportUnmeasured[] = [],
): Report =>
  aReport({
    models: Object.keys(unmeasured).map((id) => aReportModel(id)),
    cells: Object.entries(unmeasured).flatMap(([model, missed]) => cellsOf(model, missed)),
    ...(groups.length > 0 && { unmeasured: groups }),
  });

const group = (
  model: string,
  numbers: readonly number[],
  changes: Partial<ReportUnmeasured> = {},
): ReportUnmeasured => ({
  ...{ model, shared: 'stream: true', requests: 8, kinds: [{ kind: 'cut', status: null, requests: 8 }] },
  ...{ cells: numbers.map((at) => cellsOf(model, [])[at]?.key ?? ''), others: { answered: 20, of: 20 } },
  ...{ detail: 'the stream was cut', exchanges: [] },
  ...changes,
});

function said(diff: ReportDiff): { code: number; text: string } {
  const code = lostSomething(diff) ? 1 : comparedTooLittle(diff) ? 3 : 0;
  const text = renderDiffTerminal(diff, { redact: redactor(), color: false, columns: 500 });
  return { code, text };
}

describe('what the head no longer answers', () => {
  test('cannot be compared, in two models of a run', () => {
    const report = of({ 'demo/ok': [], 'demo/cut': [0, 4] }, [group('demo/cut', [0, 4])]);
    const { code, text } = said(diffModels(report, report, 'demo/ok', 'demo/cut'));
    expect(code).toBe(3);
    expect(text).toContain('2 cells that passed in demo/ok could not be measured in demo/cut.');
    expect(text).toContain('Nothing lost of the ');
    expect(text).not.toContain('judged in only one');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'Could not be measured (1) stream: true 2 cells passed -> none of its 8 requests with stream: true got a usable answer (cut off), while all 20 others did: the stream was cut',
    );
  });

  test('cannot be compared, in two runs and two targets', () => {
    const [before, after] = [of({ 'a/m': [] }), of({ 'a/m': [0, 4] }, [group('a/m', [0, 4])])];
    const runs = said(diffRuns(before, after));
    expect(runs.code).toBe(3);
    expect(runs.text).toContain('stream: true@a/m');
    const both = of({ 'a/m': [], 'b/m': [0, 4] }, [group('b/m', [0, 4])]);
    expect(said(diffTargets(both, both, 'a', 'b')).code).toBe(3);
    expect(said(diffTargets(both, both, 'b', 'a')).code).toBe(0);
  });

  test('cannot be compared where a whole capability of several cells is missing, whatever a report knows of it', () => {
    expect(said(diffRuns(of({ 'a/m': [] }), of({ 'a/m': [0, 1] }))).code).toBe(3);
    expect(said(diffRuns(of({ 'a/m': [] }), of({ 'a/m': [1] }))).code).toBe(0);
  });

  test('was lost all the same if something else was', () => {
    const after = of({ 'a/m': [0, 4] }, [group('a/m', [0, 4])]);
    const failing = { verdict: 'fail', class: 'http_error', reason: 'parameter_rejected', status: 400 } as const;
    const cells = after.cells.map((cell, at) =>
      at === 7 ? aReportCell({ ...cell, ...failing, trials: { passed: 0, total: 3 } }) : cell,
    );
    const { code, text } = said(diffRuns(of({ 'a/m': [] }), { ...after, cells }));
    expect(code).toBe(1);
    expect(text).toContain('2 cells that passed in');
  });
});

describe('is told in one sentence', () => {
  test('a bad moment of one cell', () => {
    const kinds = [{ kind: 'status', status: 503, requests: 4 }] as const;
    const after = of({ 'a/m': [4] }, [group('a/m', [4], { shared: null, kinds, requests: 4 })]);
    const { code, text } = said(diffRuns(of({ 'a/m': [] }), after));
    expect(code).toBe(0);
    expect(text).toContain('1 cell that passed in r1 could not be measured in r1. Nothing lost of the ');
    expect(text).not.toContain('Could not be measured (');
  });

  test('nothing of what did not pass before, or of a model that was not measured at all', () => {
    const failed = aReport({
      models: [aReportModel('a/m')],
      cells: cellsOf('a/m', [0, 4], {
        verdict: 'fail',
        class: 'not_json',
        trials: { total: 1, passed: 0, faults: 0, needed: 0, interval: [0, 1] },
      }),
    });
    expect(diffRuns(failed, of({ 'a/m': [0, 4] }, [group('a/m', [0, 4])])).unmeasured).toEqual([]);
    const all = Array.from({ length: 10 }, (_, at) => at);
    const diff = diffRuns(of({ 'a/m': [] }), of({ 'a/m': all }, [group('a/m', all)]));
    expect(diff.unmeasured).toEqual([]);
    expect(diff.models).toHaveLength(1);
  });
});
