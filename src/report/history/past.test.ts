import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../cell/verdict.js';
import { type CellSummary, type RunSummary } from './run-summary.js';
import { pastOf } from './past.js';

const day = (index: number) => `2026-11-${String(index + 1).padStart(2, '0')}T03:00:00.000Z`;

function aSummary(
  index: number,
  cells: Readonly<Record<string, Verdict | null>>,
  shown: readonly string[] = [],
): RunSummary {
  const planned = Object.entries(cells).flatMap(([key, verdict]) =>
    verdict === null ? [] : [[key, `${verdict} 1/2` satisfies CellSummary] as const],
  );
  return {
    format: 'chatspec-summary/1',
    run: {
      ...{ id: `run-${index}`, started_at: day(index), finished_at: null, complete: true, profile: 'standard' },
      ...{ requests: 1, total_tokens: 1, cost: null, shard: false },
    },
    exit_code: 0,
    deviations: { regression: 0, changed: 0, improvement: 0, new: 0, gone: 0, wire: 0 },
    models: { 't/m': { reachable: true } },
    behaviours: Object.fromEntries(shown.map((id) => [id, ['t/m']])),
    cells: Object.fromEntries(planned),
    memory: { cells: {}, models: {}, shared: {} },
  };
}

function pastOfCell(...verdicts: readonly (Verdict | null)[]) {
  const runs = verdicts.map((verdict, index) => aSummary(index, { 's/a@t/m': verdict }));
  return pastOf({ runs: runs.slice(0, -1) }, runs.at(-1)!).cell('s/a@t/m');
}

describe('the past of a cell', () => {
  test('says since when it fails and when it passed last', () => {
    expect(pastOfCell('pass', 'pass', 'fail', 'fail')).toEqual({
      strip: ['pass', 'pass', 'fail', 'fail'],
      ...{ since: { at: day(2), runs: 2, open: false }, lastPassed: { at: day(1) } },
    });
  });

  test('skips runs that did not judge it', () => {
    expect(pastOfCell('pass', 'inconclusive', 'fail', null, 'not_run', 'fail')).toMatchObject({
      ...{ since: { at: day(2), runs: 2, open: false }, lastPassed: { at: day(0) } },
    });
  });

  test('does not pretend to know what was before the first run', () => {
    expect(pastOfCell('fail', 'fail')).toMatchObject({ since: { at: day(0), runs: 2, open: true }, lastPassed: null });
    expect(pastOfCell('pass')).toMatchObject({ since: { at: null, runs: 1, open: true }, lastPassed: null });
  });

  test('has no "since" if today did not judge it', () => {
    expect(pastOfCell('pass', 'blocked')).toMatchObject({ since: null, lastPassed: { at: day(0) } });
  });

  test('from "since" on, every run that judged it agrees with today, and the run before it does not', () => {
    const verdict = fc.constantFrom<(Verdict | null)[]>(
      'pass',
      'fail',
      'flaky',
      'inconclusive',
      'blocked',
      'not_run',
      null,
    );
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 1, maxLength: 9 }), (verdicts) => {
        const { since } = pastOfCell(...verdicts);
        const judged = (one: Verdict | null | undefined) => one === 'pass' || one === 'fail' || one === 'flaky';
        const today = verdicts.at(-1);
        expect(since !== null).toBe(judged(today));
        if (since === null) return;
        const own = verdicts.length - 1;
        const from = since.at === null ? own : verdicts.findIndex((_, index) => day(index) === since.at);
        expect(
          verdicts
            .slice(from)
            .filter(judged)
            .every((one) => one === today),
        ).toBe(true);
        expect(verdicts[from]).toBe(today);
        const before = verdicts.slice(0, from).findLast(judged);
        if (before !== undefined) expect(before).not.toBe(today);
      }),
    );
  });
});

test('cells together pass only if all judged ones do', () => {
  const runs = [aSummary(0, { a: 'pass', b: 'inconclusive' }), aSummary(1, { a: 'pass', b: 'fail' })];
  const past = pastOf({ runs: [runs[0]!] }, runs[1]!);
  expect(past.cells(['a', 'b']).strip).toEqual(['pass', 'flaky']);
  expect(past.cells(['c']).strip).toEqual([null, null]);
});

test('a behaviour holds since the first run of an unbroken row', () => {
  const runs = [['x'], [], ['x'], ['x']].map((shown, index) => aSummary(index, {}, shown));
  const past = pastOf({ runs: runs.slice(0, -1) }, runs.at(-1)!);
  expect(past.behaviourSince('x', 't/m')).toMatchObject({ at: day(2), open: false });
  expect(past.behaviourSince('y', 't/m')).toBe(null);
});
