import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { ReportCell, ReportModel } from '../report-format.js';
import { comparedTooLittle, diffModels, diffRuns, diffTargets, lostSomething } from './diff-reports.js';
import type { ReportDiff } from './report-diff.js';

const failing = (reason: 'model_not_found' | 'overloaded', status: number) =>
  ({ class: 'http_error', reason, status, detail: null }) as const;
const unknown = { reachable: false, unreachable: failing('model_not_found', 404) } as const;
const gone = { ...unknown, standing: 'gone' } as const;
const down = { reachable: false, unreachable: failing('overloaded', 503) } as const;

const probes = ['a', 'b'];
const of = (
  states: Readonly<Record<string, Partial<ReportModel>>>,
  judged: (id: string) => Partial<ReportCell> = () => ({}),
) =>
  aReport({
    models: Object.entries(states).map(([id, changes]) => aReportModel(id, changes)),
    cells: Object.entries(states).flatMap(([model, { reachable = true }]) =>
      probes.map((probe) =>
        aReportCell({
          model,
          probe,
          ...(reachable ? judged(model) : { verdict: 'inconclusive', trials: { passed: 0, total: 0 } }),
        }),
      ),
    ),
  });

const before = of({ 'demo/one': {}, 'demo/two': {} });

/** What became of models, and the exit code that follows. */
function said(diff: ReportDiff): string {
  const code = lostSomething(diff) ? 1 : comparedTooLittle(diff) ? 3 : 0;
  const models = diff.models.map(
    ({ model, change, expected }) => `${model} ${change}${expected ? ' as expected' : ''}`,
  );
  return [...models, `exit ${code}`].join(', ');
}

describe('a model of which no cell is left', () => {
  test.each<[string, Partial<ReportModel>, string]>([
    ['answers', {}, 'exit 0'],
    ['is gone', gone, 'demo/two gone, exit 1'],
    [
      'is unknown to a service that knows another, though no baseline told the run of it',
      { ...unknown, standing: 'new' },
      'demo/two gone, exit 1',
    ],
    ['is gone as was announced', { ...gone, retired: true }, 'demo/two gone as expected, exit 0'],
    ['is overloaded', down, 'demo/two unreachable, exit 3'],
  ])('that %s', (_, state, expected) => {
    expect(said(diffRuns(before, of({ 'demo/one': {}, 'demo/two': state })))).toBe(expected);
  });

  test('is not called gone by a service that knows none', () => {
    expect(said(diffRuns(before, of({ 'demo/one': unknown, 'demo/two': unknown })))).toBe(
      'demo/one unreachable, demo/two unreachable, exit 3',
    );
  });

  test('is told although it is reached, if each of its answers is refused', () => {
    const refused = of({ 'demo/one': {}, 'demo/two': {} }, (id) =>
      id === 'demo/two' ? { verdict: 'inconclusive' } : {},
    );
    expect(said(diffRuns(before, refused))).toBe('demo/two unmeasured, exit 3');
  });

  test('is no news where it failed before, was not asked, or was asked other things', () => {
    const never = of({ 'demo/one': {}, 'demo/two': down });
    expect(said(diffRuns(never, never))).toBe('exit 0');
    expect(said(diffRuns(never, before))).toBe('exit 0');
    expect(said(diffRuns(before, of({ 'demo/one': {} })))).toBe('exit 0');
    const other = aReport({
      ...before,
      cells: before.cells.map((cell) => ({
        ...cell,
        key: cell.key.replace('/a', '/z').replace('/b', '/y'),
        verdict: 'inconclusive' as const,
      })),
    });
    expect(diffRuns(before, other).models).toEqual([]);
  });

  test('loses nothing that did not pass', () => {
    const broken = of({ 'demo/one': {}, 'demo/two': {} }, (id) => (id === 'demo/two' ? { verdict: 'fail' } : {}));
    expect(said(diffRuns(broken, of({ 'demo/one': {}, 'demo/two': gone })))).toBe('demo/two gone, exit 0');
  });

  test('cannot take the place of another, retired or not', () => {
    const now = of({ 'demo/one': {}, 'demo/two': { ...gone, retired: true } });
    expect(said(diffModels(now, now, 'demo/one', 'demo/two'))).toBe('demo/two gone, exit 1');
    const misspelt = of({ 'demo/one': {}, 'demo/two': { ...unknown, standing: 'new' } });
    expect(said(diffModels(misspelt, misspelt, 'demo/one', 'demo/two'))).toBe('demo/two unreachable, exit 3');
  });

  test('is missing at another service', () => {
    const both = of({ 'a/x': {}, 'a/y': {}, 'b/x': {}, 'b/y': { ...unknown, standing: 'new' } });
    expect(said(diffTargets(both, both, 'a', 'b'))).toBe('y gone, exit 1');
  });
});

test('says what was lost with it', () => {
  const { models, compared, lost } = diffRuns(before, of({ 'demo/one': {}, 'demo/two': gone }));
  expect(models).toEqual([
    { model: 'demo/two', change: 'gone', expected: false, judged: 2, passed: 2, failure: gone.unreachable },
  ]);
  expect({ compared, lost }).toEqual({ compared: 2, lost: [] });
});
