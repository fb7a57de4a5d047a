import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { diffModels, diffRuns, diffTargets } from '../../matrix/diff/diff-reports.js';
import type { Recommendation, Report } from '../../matrix/report-format.js';
import { redactor } from '../safe/redact.js';
import { namedSides } from './named-sides.js';
import { renderDiffJson, renderDiffTerminal } from './render-diff.js';

const recommended: Recommendation = {
  ...{ model: 'd/x', need: 'plain_text', form: 'chat', settings: {}, because: 'it passes.', alternatives: [] },
};
const runOf = (id: string, probes: readonly string[], recommendations: readonly Recommendation[] = []): Report => {
  const report = aReport({
    models: ['d/x', 'd/y'].map((model) => aReportModel(model)),
    cells: ['d/x', 'd/y'].flatMap((model) => probes.map((probe) => aReportCell({ model, probe }))),
    recommendations,
  });
  return { ...report, run: { ...report.run, id } };
};
const [monday, tuesday] = [runOf('1', ['a', 'b'], [recommended]), runOf('2', ['a'])];
const folders = ['runs/monday', 'runs/tuesday'];

const text = (diff: Parameters<typeof namedSides>[0], runs = folders) =>
  renderDiffTerminal(namedSides(diff, runs), { redact: redactor(), color: false, columns: 300 });

test('two runs of one model are told apart by their folders, wherever they are named', () => {
  const said = text(diffModels(monday, tuesday, 'x', 'x'));
  expect(said).toContain('From d/x in runs/monday to d/x in runs/tuesday (models)');
  expect(said).toContain('nothing was judged of d/x in runs/tuesday; d/x in runs/monday: chat');
  expect(said).toContain('1 cell judged for d/x in runs/monday only (d/x in runs/tuesday: not asked)');
  expect(said).toContain('1 cell was judged in only one run and was not compared.');
  expect(said.replaceAll(/d\/x in runs\/(monday|tuesday)/g, '')).not.toContain('d/x');
});

test('so are two runs of one target', () => {
  expect(text(diffTargets(monday, tuesday, 'd', 'd'))).toContain('From d in runs/monday to d in runs/tuesday');
});

test('two models need no folders, nor do two runs need more than these', () => {
  expect(text(diffModels(monday, tuesday, 'x', 'y'))).toContain('From d/x to d/y (models)');
  expect(text(diffModels(monday, monday, 'x', 'y'), ['runs/monday'])).toContain('From d/x to d/y (models)');
  expect(text(diffRuns(monday, tuesday))).toContain('From runs/monday to runs/tuesday (runs)');
});

test('two models are called so, though they come from two runs', () => {
  expect(text(diffModels(monday, tuesday, 'x', 'y'))).toContain('judged in only one model and');
  expect(text(diffRuns(monday, tuesday))).toContain('judged in only one run and');
});

test('the JSON names both runs where a model or a target is compared with itself', () => {
  const runsIn = (diff: Parameters<typeof namedSides>[0]) =>
    (JSON.parse(renderDiffJson(diff, redactor())) as { runs?: unknown }).runs;
  expect(runsIn(diffModels(monday, tuesday, 'x', 'x'))).toEqual({ base: '1', head: '2' });
  expect(runsIn(diffTargets(monday, tuesday, 'd', 'd'))).toEqual({ base: '1', head: '2' });
  expect(runsIn(diffModels(monday, tuesday, 'x', 'y'))).toBeUndefined();
  expect(runsIn(diffModels(monday, monday, 'x', 'y'))).toBeUndefined();
  expect(runsIn(diffRuns(monday, tuesday))).toBeUndefined();
});
