import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { overviewOf } from './overview.js';

const expected = { verdict: 'pass', trials: 40 } as unknown as ReportCell['expected'];
const trials = (passed: number, total: number, needed = 0): ReportCell['trials'] => ({
  ...{ passed, total, needed, faults: 0, interval: [0, 1] },
});
const evidence = (known: readonly [number, number], doubt: readonly (readonly [number, number])[] = []) =>
  ({
    ...{ known, changed: 1, holds: 1, bound: 20 },
    doubt: doubt.map(([passed, total]) => ({ passed, total, run: 'r' })),
  }) as unknown as ReportCell['evidence'];
const known = { standing: 'as_expected', expected, evidence: evidence([40, 40]) } as const;
/** So many that one cell without a result is not too much. */
const fine = Array.from({ length: 20 }, (_, at) =>
  aReportCell({ ...known, key: `s/fine${at}@demo/one`, model: 'demo/one', verdict: 'pass', trials: trials(1, 1) }),
);

function overviewWith(...cells: readonly ReportCell[]) {
  const all = [...fine, ...cells];
  const report = aReport({ models: [aReportModel('demo/one', { standing: 'known' })], cells: all });
  const { tone, named } = overviewOf({ report, changes: [], runs: [] });
  return { tone, named: named.flatMap(({ names }) => names.map(({ name }) => name)) };
}

const cell = (changes: Parameters<typeof aReportCell>[0]) =>
  aReportCell({ ...known, key: 's/one@demo/one', model: 'demo/one', ...changes });

describe('the headline is quiet', () => {
  test.each([
    ['where all is as before', [], 'quiet', []],
    [
      'with a keyword whose answers prove nothing',
      [cell({ verdict: 'inconclusive', standing: null, enforcement: 'unclear', trials: trials(0, 3) })],
      'quiet',
      [],
    ],
  ] as const)('%s', (_, cells, tone, named) => {
    expect(overviewWith(...cells)).toEqual({ tone, named });
  });
});

describe('a cell is named', () => {
  test.each([
    ['that could not be measured', { verdict: 'inconclusive', standing: null, trials: trials(0, 0) }, 'quiet'],
    [
      'that could not be measured in full',
      { verdict: 'inconclusive', standing: null, trials: trials(1, 2, 3) },
      'quiet',
    ],
    [
      'of a keyword that was not asked in full',
      { verdict: 'inconclusive', standing: null, enforcement: 'unclear', trials: trials(0, 3, 1) },
      'quiet',
    ],
    [
      'in doubt',
      {
        verdict: 'flaky',
        standing: 'regression',
        unsettled: true,
        trials: trials(33, 60),
        evidence: evidence([40, 40], [[33, 60]]),
      },
      'open',
    ],
    [
      'that does not hold',
      { verdict: 'flaky', standing: 'unreliable', trials: trials(2, 3), evidence: evidence([43, 75]) },
      'open',
    ],
    [
      'that may be better',
      {
        verdict: 'pass',
        standing: 'improvement',
        unsettled: true,
        trials: trials(3, 3),
        evidence: evidence([1, 40], [[3, 3]]),
      },
      'quiet',
    ],
  ] as const)('%s', (_, changes, tone) => {
    expect(overviewWith(cell(changes as Parameters<typeof aReportCell>[0]))).toEqual({
      tone,
      named: ['s/one@demo/one'],
    });
  });

  test('three at most, with how many more', () => {
    const many = Array.from({ length: 4 }, (_, at) =>
      cell({ key: `s/c${at}@demo/one`, verdict: 'inconclusive', standing: null, trials: trials(0, 0) }),
    );
    expect(overviewWith(...fine, ...fine, ...fine, ...many).named).toEqual([
      ...many.slice(0, 3).map(({ key }) => key),
      null,
    ]);
  });
});

test('a cell that fails where a pass was accepted is never as before', () => {
  expect(overviewWith(cell({ verdict: 'fail', trials: trials(0, 1) })).tone).toBe('open');
});

test('a model in doubt as a whole is named', () => {
  const failure = {
    class: 'not_json',
    ...{ reason: null, runs: 1, failed: 5, total: 80, alarm: false, log10: 2, bound: 3 },
    ...{ before: { failed: 0, total: 80 }, cells: {}, doubt: [{ passed: 75, total: 80 }] },
  } as const;
  const model = aReportModel('demo/one', { standing: 'known', shared_failures: [failure] });
  const { tone, named } = overviewOf({
    report: aReport({ models: [model], cells: fine }),
    changes: [],
    runs: [],
  });
  expect([tone, named.flatMap(({ names }) => names.map(({ name }) => name))]).toEqual(['open', ['demo/one']]);
});
