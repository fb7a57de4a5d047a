import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { Verdict } from '../../cell/verdict.js';
import type { Stop } from '../../journal/stop.js';
import { diffSummary } from '../../report/diff/diff-summary.js';
import { renderDiffTerminal } from '../../report/diff/render-diff.js';
import { redactor } from '../../report/safe/redact.js';
import type { Report } from '../report-format.js';
import { comparedTooLittle, diffModels, diffRuns, diffTargets, lostSomething } from './diff-reports.js';
import type { ReportDiff } from './report-diff.js';

/** What one of the two runs did not ask is neither kept nor lost, and "Nothing lost" must not hide it. */

const codeOf = (diff: ReportDiff) => (lostSomething(diff) ? 1 : comparedTooLittle(diff) ? 3 : 0);

/** A run named `id`: by model, the verdicts of its probes. */
function runOf(
  id: string,
  models: Readonly<Record<string, Readonly<Record<string, Verdict>>>>,
  { stops = [], complete = true }: { readonly stops?: readonly Stop[]; readonly complete?: boolean } = {},
): Report {
  const report = aReport({
    complete,
    models: Object.keys(models).map((model) => aReportModel(model)),
    cells: Object.entries(models).flatMap(([model, probes]) =>
      Object.entries(probes).map(([probe, verdict]) => aReportCell({ model, probe, verdict })),
    ),
  });
  return { ...report, run: { ...report.run, id, stops } };
}

const all = { a: 'pass', b: 'pass' } as const;
const none = { a: 'not_run', b: 'not_run' } as const;
const budget: Stop = { target: null, model: null, kind: 'budget', unit: 'requests', limit: 8, shard_part: false };

describe('a model that only one run asked', () => {
  test('is named, whichever run it is', () => {
    const [both, one] = [runOf('old', { 'd/x': all, 'd/y': all }), runOf('new', { 'd/x': all })];
    const less = diffRuns(both, one);
    expect(diffSummary(less)).toBe(
      'd/y was asked in old only. Nothing lost of the 2 cells that were compared, 0 gained. 2 cells were judged in only one run and were not compared.',
    );
    expect({ code: codeOf(less), models: less.models, uncompared: less.uncompared_models }).toEqual({
      ...{ code: 0, models: [], uncompared: [{ model: 'd/y', asked: 'base' }] },
    });
    expect(diffSummary(diffRuns(one, both))).toMatch(/^d\/y was asked in old only\. Nothing lost/);
  });

  test('is named under both names if it was renamed', () => {
    const said = diffSummary(
      diffRuns(runOf('old', { 'd/x': all, 'd/y': all }), runOf('new', { 'd/x': all, 'd/z': all })),
    );
    expect(said).toMatch(/^d\/y was asked in old only\. d\/z was asked in new only\. Nothing lost/);
  });

  test('is one of many', () => {
    const models = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`d/m${at}`, all]));
    const said = diffSummary(diffRuns(runOf('old', { 'd/x': all, ...models }), runOf('new', { 'd/x': all })));
    expect(said).toContain('7 models were asked in old only: d/m0, d/m1, d/m2, d/m3, d/m4, 2 more.');
  });

  test('stands at one target only', () => {
    const report = runOf('r', { 'one/x': all, 'one/y': all, 'two/x': all });
    expect(diffSummary(diffTargets(report, report, 'one', 'two'))).toMatch(/^y was asked at one only\. Nothing lost/);
  });

  test('may be there, but not asked: the run was cut before', () => {
    const cut = runOf('new', { 'd/x': all, 'd/y': none }, { stops: [budget] });
    const diff = diffRuns(runOf('old', { 'd/x': all, 'd/y': all }), cut);
    expect(codeOf(diff)).toBe(3);
    expect(diffSummary(diff)).toBe(
      'new did not ask everything (The budget of 8 requests is used up). d/y was asked in old only. Nothing lost of the 2 cells that were compared, 0 gained. 2 cells were judged in only one run and were not compared.',
    );
    const text = renderDiffTerminal(diff, { redact: redactor(), color: false, columns: 200 });
    expect(text).toContain('2 of 2 cells passed -> it was not asked');
    expect(text).not.toContain('could be judged');
  });

  test('is none if both asked it, or neither did, whatever became of it', () => {
    const [old, later] = [
      runOf('old', { 'd/x': all, 'd/y': { a: 'inconclusive' }, 'd/z': none }),
      runOf('new', { 'd/x': all, 'd/y': { a: 'inconclusive' }, 'd/z': none }),
    ];
    for (const diff of [diffRuns(old, later), diffRuns(later, old), diffRuns(old, old)]) {
      expect(diff.uncompared_models).toBeUndefined();
      expect(diffSummary(diff)).toBe('Nothing lost of the 2 cells that were compared, 0 gained.');
    }
  });
});

test('a model that both runs asked for other things is named', () => {
  const diff = diffRuns(
    runOf('old', { 'd/x': all, 'd/y': { a: 'pass' } }),
    runOf('new', { 'd/x': all, 'd/y': { b: 'pass' } }),
  );
  expect(diff.uncompared_models).toEqual([{ model: 'd/y', asked: 'both' }]);
  expect(diffSummary(diff)).toMatch(/^No cell of d\/y was judged in both runs\. Nothing lost of the 2 cells/);
});

describe('a run that was cut', () => {
  const old = runOf('old', { 'd/x': all });
  const part = { 'd/x': { a: 'pass', b: 'not_run' } } as const;

  test.each<[string, Stop]>([
    ['The budget of 8 requests is used up', budget],
    ['The run was interrupted', { target: null, model: null, kind: 'interrupted' }],
    ['Shard 2 of 3 is missing', { target: null, model: null, kind: 'missing_shard', shard: 2, of: 3 }],
  ])('is told: %s', (why, stop) => {
    const cut = runOf('new', part, { stops: [stop], complete: stop.kind === 'budget' });
    expect(diffSummary(diffRuns(old, cut))).toMatch(
      `new did not ask everything (${why}). Nothing lost of the one cell`,
    );
    expect(diffRuns(old, cut).cut).toEqual({ head: [stop] });
    expect(diffSummary(diffRuns(cut, old))).toMatch(`new did not ask everything (${why}). Nothing`);
    expect(diffSummary(diffRuns(cut, { ...cut, run: { ...cut.run, id: 'newer' } }))).toMatch(
      `new and newer did not ask everything (${why}). Nothing`,
    );
  });

  test('is told where it was killed and says no more', () => {
    const killed = runOf('new', part, { complete: false });
    expect(diffSummary(diffRuns(old, killed))).toMatch('new did not ask everything (The run was cut off). Nothing');
  });

  test('names the model or the target that was stopped', () => {
    const pause = { kind: 'long_pause', answered_by: 'd/x', seconds: 900 } as const;
    const stopped = (stop: Stop) => diffSummary(diffRuns(old, runOf('new', part, { stops: [stop] })));
    expect(stopped({ target: 'd', model: 'd/x', ...pause })).toMatch(
      'new did not ask everything of d/x (d/x: the service asks for a pause of 900 s). Nothing lost',
    );
    expect(stopped({ target: 'd', model: null, ...pause })).toMatch(
      'new did not ask everything of d (d/x: the service asks',
    );
  });

  test('is told of two models only where it left out cells of them', () => {
    const report = runOf('r', { 'd/x': all, 'd/y': part['d/x'], 'd/z': all }, { stops: [budget] });
    expect(diffSummary(diffModels(report, report, 'd/x', 'd/y'))).toMatch(
      'd/y was not asked everything (The budget of 8 requests is used up). Nothing lost of the one cell',
    );
    expect(diffModels(report, report, 'd/x', 'd/z').cut).toBeUndefined();
    const both = runOf('r', { 'd/x': part['d/x'], 'd/y': part['d/x'] }, { stops: [budget] });
    expect(diffSummary(diffModels(both, both, 'd/x', 'd/y'))).toMatch(
      'd/x and d/y were not asked everything (The budget of 8 requests is used up). Nothing lost of the one cell',
    );
  });

  test('is not one that a budget ended after its last question, nor one whose filters left out the rest', () => {
    expect(diffRuns(old, runOf('new', { 'd/x': all }, { stops: [budget] })).cut).toBeUndefined();
    expect(diffRuns(old, runOf('new', { 'd/x': { a: 'pass' } })).cut).toBeUndefined();
  });

  test('is one that left out trials of a cell', () => {
    const cut = runOf('new', { 'd/x': all }, { stops: [budget] });
    const cells = cut.cells.map((cell) => ({ ...cell, trials: { ...cell.trials, missing: 2 } }));
    expect(diffRuns(old, { ...cut, cells }).cut).toEqual({ head: [budget] });
  });
});
