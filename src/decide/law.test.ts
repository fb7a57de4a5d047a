import { describe, expect, test } from 'vitest';
import { aPlannedCell, anEntry, countedTrials, failing, passing } from '../../test/support/build.js';
import type { CellState, DoubtRun, Expected } from '../baseline/entries.js';
import { boundOver } from '../stats/evidence.js';
import { coursesFor } from './courses/courses.js';
import { causeIn, contradicts, isDoubtful, stateAfter, weigh, weighShared, type TrialExpectation } from './law.js';

const bound = boundOver(60);
type Counted = readonly [passed: number, total: number];
const runs = (counts: readonly Counted[]): DoubtRun[] => counts.map(([passed, total]) => ({ passed, total }));
const stateOf = ([passed, total]: Counted, doubt: readonly Counted[], more: Partial<CellState> = {}): CellState => ({
  known: { passed, total },
  doubt: runs(doubt),
  ...more,
});
const outcome = (expectation: TrialExpectation, state: CellState): string => {
  const { outcome: found, asks } = weigh(expectation, state, bound);
  return asks ? 'asks' : found;
};

describe('a cell that is expected to pass', () => {
  test.each<[string, Counted, readonly Counted[], string, Partial<CellState>?]>([
    ['nine failures in a row are too few', [40, 40], [[0, 9]], 'asks'],
    ['ten are an alarm at once', [40, 40], [[0, 10]], 'alarm'],
    ['one pass among them is none', [40, 40], [[1, 14]], 'open'],
    ['known from one trial, nineteen are too few', [1, 1], [[0, 19]], 'asks'],
    ['and twenty an alarm', [1, 1], [[0, 20]], 'alarm'],
    ['one pass among them proves nothing of nine known ones', [9, 9], [[1, 20]], 'asks'],
    ['and of ten known ones waits for another run', [10, 10], [[1, 20]], 'open'],
    ['one that passed three of ten is not seldom enough', [3, 9], [[0, 20]], 'alarm'],
    ['one that passed less often proves nothing', [2, 9], [[0, 20]], 'asks'],
    [
      'two runs show it together',
      [40, 40],
      [
        [12, 20],
        [12, 20],
      ],
      'alarm',
    ],
    [
      'one of them alone does not',
      [40, 40],
      [
        [10, 20],
        [20, 21],
      ],
      'over',
    ],
    [
      'a weak second run does not',
      [40, 40],
      [
        [10, 20],
        [4, 5],
      ],
      'asks',
    ],
    [
      'a second run below the square root of the bound does not',
      [40, 40],
      [
        [10, 20],
        [3, 5],
      ],
      'asks',
    ],
    [
      'one above it does',
      [40, 40],
      [
        [10, 20],
        [3, 6],
      ],
      'alarm',
    ],
    [
      'an alarm whose run only passes is asked on',
      [40, 40],
      [
        [0, 20],
        [0, 20],
        [1, 1],
      ],
      'asks',
    ],
    [
      'that it does not hold shows in two runs',
      [10, 10],
      [
        [20, 30],
        [20, 30],
      ],
      'alarm',
    ],
    [
      'of nine known trials that is told',
      [9, 9],
      [
        [20, 30],
        [20, 30],
      ],
      'unreliable',
    ],
    [
      'of an alarm, it stays one',
      [9, 9],
      [
        [20, 30],
        [20, 30],
      ],
      'alarm',
      { alarmed: true },
    ],
    [
      'nine passes do not clear it',
      [40, 40],
      [
        [1, 2],
        [9, 9],
      ],
      'asks',
    ],
    [
      'ten do',
      [40, 40],
      [
        [1, 2],
        [10, 10],
      ],
      'over',
    ],
    ['sixty trials are enough', [9, 9], [[45, 60]], 'open'],
    ['fifty-nine are not', [9, 9], [[45, 59]], 'asks'],
    ['nothing is known that it could contradict', [0, 0], [[0, 1]], 'over'],
  ])('%s', (_, known, doubt, expected, more = {}) =>
    expect(outcome('pass', stateOf(known, doubt, more))).toBe(expected),
  );

  test('in doubt, it is always told', () =>
    expect(isDoubtful('pass', weigh('pass', stateOf([1, 1], [[5, 6]]), bound))).toBe(true));
});

describe('a cell that is expected to fail', () => {
  const failing = (ways: Record<string, number>, ...doubt: DoubtRun[]): CellState => {
    const total = Object.values(ways).reduce((sum, count) => sum + count, 0);
    return { known: { passed: 0, total, ways }, doubt };
  };
  const failed = (ways: Record<string, number>, passed = 0): DoubtRun => ({
    passed,
    total: passed + Object.values(ways).reduce((sum, count) => sum + count, 0),
    ways,
  });
  const weighed = (state: CellState): string => {
    const { outcome: found, asks, suspicion } = weigh('fail', state, bound);
    return `${asks ? 'asks' : found} ${suspicion}`;
  };

  test.each<[string, CellState, string]>([
    ['always passes, known from two trials: too few', failing({ a: 2 }, failed({}, 19)), 'asks improvement'],
    ['always passes, known from two trials', failing({ a: 2 }, failed({}, 20)), 'alarm improvement'],
    ['passes as often as it fails in a new way', failing({ a: 20 }, failed({ b: 10 }, 10)), 'alarm improvement'],
    ['passes more rarely than that', failing({ a: 20 }, failed({ b: 11 }, 10)), 'alarm changed'],
    ['fails once as it did', failing({ a: 2 }, failed({ a: 1 }, 19)), 'over improvement'],
    ['fails in a way that nobody saw', failing({ a: 20 }, failed({ b: 10 })), 'alarm changed'],
    ['nine times', failing({ a: 20 }, failed({ b: 9 })), 'asks changed'],
    ['a way that was seen at times has become usual', failing({ a: 39, b: 1 }, failed({ b: 12 })), 'alarm changed'],
    ['a way that is seen as often as before', failing({ a: 8, b: 32 }, failed({ a: 3, b: 1 })), 'over changed'],
    ['of nine trials, one more way proves nothing', failing({ a: 6, b: 3 }, failed({ b: 30 })), 'asks changed'],
  ])('%s', (_, state, expected) => expect(weighed(state)).toBe(expected));

  test('opens a doubt with a pass and another way, and with none that is usual', () => {
    const { known } = failing({ a: 8, b: 2 });
    expect(
      [failed({}, 1), failed({ c: 1 }), failed({ b: 1 }), failed({ a: 1 })].map((run) =>
        contradicts('fail', known, run),
      ),
    ).toEqual([true, true, true, false]);
  });
});

describe('a cell that passes at times', () => {
  const often = (count: number, passed: number): readonly Counted[] => Array.from({ length: count }, () => [passed, 3]);

  test.each<[string, Counted, readonly Counted[], string, Partial<CellState>?]>([
    ['no alarm while it is known from nine trials', [6, 9], [[0, 60]], 'open'],
    ['a death, known from ten', [9, 10], [[0, 14]], 'alarm'],
    ['of which too little is seen', [9, 10], [[0, 3]], 'asks'],
    ['a pass ends the asking', [9, 10], [[2, 3]], 'open'],
    ['a drop over many runs', [36, 40], often(20, 1), 'alarm'],
    ['as before', [36, 40], often(20, 3), 'open'],
    ['a rise of one run', [8, 40], [[20, 20]], 'asks'],
    ['a rise over many runs', [8, 40], often(20, 3), 'alarm'],
    ['a rise of one that was accepted as passing ends it', [8, 40], often(20, 3), 'over', { unreliable: true }],
    [
      'nineteen good trials do not end an alarm',
      [36, 40],
      [
        [0, 20],
        [18, 19],
      ],
      'asks',
      { alarmed: true },
    ],
    [
      'twenty do',
      [36, 40],
      [
        [0, 20],
        [18, 20],
      ],
      'over',
      { alarmed: true },
    ],
  ])('%s', (_, known, doubt, expected, more = {}) =>
    expect(outcome('rate', stateOf(known, doubt, more))).toBe(expected),
  );

  test('is told above what each night shows', () => {
    const of = (doubt: readonly Counted[]) => isDoubtful('rate', weigh('rate', stateOf([36, 40], doubt), bound));
    expect([of([[2, 3]]), of([[2, 6]]), of([[0, 3]])]).toEqual([false, true, true]);
  });
});

describe('what is kept', () => {
  const after = (expectation: TrialExpectation, state: CellState): CellState =>
    stateAfter(expectation, state, weigh(expectation, state, bound));

  test.each<[string, TrialExpectation, CellState, CellState]>([
    [
      'a doubt that is clear becomes known',
      'pass',
      stateOf(
        [40, 40],
        [
          [1, 2],
          [10, 10],
        ],
      ),
      stateOf([51, 52], []),
    ],
    [
      'what was unreliable and holds again, from where it does',
      'rate',
      stateOf(
        [8, 40],
        Array.from({ length: 20 }, () => [3, 3] as const),
        { unreliable: true },
      ),
      stateOf([60, 60], []),
    ],
    [
      'of an alarm that is over, only this run',
      'pass',
      stateOf(
        [40, 40],
        [
          [0, 20],
          [10, 10],
        ],
        { alarmed: true },
      ),
      stateOf([50, 50], []),
    ],
    ['an alarm', 'pass', stateOf([40, 40], [[0, 10]]), stateOf([40, 40], [[0, 10]], { alarmed: true })],
    [
      'one that is unreliable is known by all its trials',
      'pass',
      stateOf(
        [9, 9],
        [
          [20, 30],
          [20, 30],
        ],
      ),
      stateOf([49, 69], [], { unreliable: true }),
    ],
    ['of one that passes at times, all while little is known', 'rate', stateOf([3, 6], [[1, 3]]), stateOf([4, 9], [])],
    ['and then run by run', 'rate', stateOf([8, 10], [[2, 3]]), stateOf([8, 10], [[2, 3]])],
  ])('%s', (_, expectation, state, expected) => expect(after(expectation, state)).toEqual(expected));

  test.each([
    ['pass', 30, 30, 40],
    ['pass', 31, 30, 40],
    ['rate', 30, 30, 40],
    ['rate', 31, 30, 43],
  ] as const)('of %s and %i runs, %i, with %i known trials', (expectation, count, kept, known) => {
    const doubt = Array.from({ length: count }, (): Counted => (expectation === 'rate' ? [3, 3] : [2, 3]));
    const state = stateOf(expectation === 'rate' ? [38, 40] : [9, 40], doubt);
    const left = stateAfter(expectation, state, { ...weigh(expectation, state, bound), outcome: 'open' });
    expect([left.doubt.length, left.known.total]).toEqual([kept, known]);
  });
});

describe('a model as a whole', () => {
  const known = { passed: 400, total: 400 };
  const shared = (doubt: readonly Counted[], alarmed = false) =>
    weighShared({ known, doubt: runs(doubt), alarmed }, boundOver(9));

  test.each<[string, readonly Counted[], boolean, boolean, number]>([
    ['one run is no alarm', [[30, 60]], false, false, 1],
    [
      'two runs are',
      [
        [54, 60],
        [54, 60],
      ],
      false,
      true,
      2,
    ],
    [
      'unless the second is as before',
      [
        [54, 60],
        [60, 60],
      ],
      false,
      false,
      2,
    ],
    [
      'an alarm is over in a good run',
      [
        [54, 60],
        [54, 60],
        [60, 60],
      ],
      true,
      false,
      0,
    ],
    [
      'of twenty trials at least',
      [
        [54, 60],
        [54, 60],
        [19, 19],
      ],
      true,
      false,
      3,
    ],
    ['nothing is no doubt', [[60, 60]], false, false, 0],
  ])('%s', (_, doubt, alarmed, alarm, left) => {
    const found = shared(doubt, alarmed);
    expect([found.alarm, found.doubt.length]).toEqual([alarm, left]);
  });
});

describe('a common cause', () => {
  const planned = aPlannedCell();

  test.each([1, 2])('shows in two failures that are alike: %i', (count) =>
    expect(
      causeIn(
        planned,
        Array.from({ length: count }, () => failing),
      ) === null,
    ).toBe(count < 2),
  );

  test('shows in none of two ways, or with a pass', () => {
    const other = { ...failing, class: 'truncated' } as const;
    expect([causeIn(planned, [failing, other]), causeIn(planned, [failing, failing, passing])]).toEqual([null, null]);
  });
});

test.each<[string, Expected, number]>([
  ['a cell that passes', { kind: 'pass', threshold: null, trials: 12 }, 1],
  ['one that passes at times', { ...anEntry({ verdict: 'flaky', passed: 14, total: 20 }), trials: 20 }, 3],
])('%s gets so many trials in each run', (_, expected, trials) => {
  const planned = aPlannedCell({ expected, course: 'fixed', trials: countedTrials(1), confirm: true });
  const first = coursesFor({ plannedCells: 60 }).fixed(planned).next();
  expect(first.done === true ? 0 : first.value.length).toBe(trials);
});
