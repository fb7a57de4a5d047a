import { describe, expect, test } from 'vitest';
import { aFinding, anEntry, aPlan, aTicket, type TicketChanges } from '../../../test/support/build.js';
import type { Finding, Suspicion } from '../../decide/course.js';
import type { DoubtOutcome } from '../../cell/verdict.js';
import { type RateChange, rateChangesOf } from './rate-changes.js';
import { standingOf } from './standing.js';

const key = 'suite/probe@demo/one';
const covered = { kind: 'pass', threshold: null } as const;
const known = anEntry({ key });
const flaky = anEntry({ key, verdict: 'flaky', passed: 19, total: 20 });
const seldom = anEntry({ key, verdict: 'flaky', passed: 8, total: 20 });
const rejected = { failure: { class: 'http_error', reason: 'quota', status: 400 } } as const;

const surprised = (surprise: DoubtOutcome, suspicion: Suspicion): Partial<Finding> => ({
  surprise,
  fresh: { suspicion, passed: 0, total: 6, pValue: null },
});

const stands = (changes: TicketChanges, found: Finding, plannedCells = 700, rateChange: RateChange | null = null) => {
  const { standing, unsettled, rate_change } = standingOf(aTicket(changes), found, plannedCells, rateChange);
  return [standing ?? 'null', ...(unsettled ? ['unsettled'] : []), ...(rate_change ? [rate_change] : [])].join(', ');
};

describe('standing with fresh samples', () => {
  test.each<[string, TicketChanges, Finding, string]>([
    ['passes as expected', { expected: covered }, aFinding(1, 0), 'as_expected'],
    ['a confirmed failure', { expected: covered }, aFinding(0, 7, surprised('confirmed', 'regression')), 'regression'],
    [
      'a cleared failure, although the label is flaky now',
      { expected: covered },
      aFinding(19, 1, surprised('cleared', 'regression')),
      'as_expected',
    ],
    [
      'a failure that was not settled',
      { expected: covered },
      aFinding(50, 10, surprised('unsettled', 'regression')),
      'regression, unsettled',
    ],
    ['fails as known', { expected: known }, aFinding(0, 1), 'as_expected'],
    [
      'fails in another way, confirmed',
      { expected: known },
      aFinding(0, 15, { ...surprised('confirmed', 'changed'), ...rejected }),
      'changed',
    ],
    ['passes, confirmed', { expected: known }, aFinding(9, 0, surprised('confirmed', 'improvement')), 'improvement'],
    [
      'one pass by chance, cleared',
      { expected: known },
      aFinding(1, 2, surprised('cleared', 'improvement')),
      'as_expected',
    ],
    [
      'passes only sometimes, cleared: no improvement, but another rate',
      { expected: known },
      aFinding(7, 4, surprised('cleared', 'improvement')),
      'as_expected, rose',
    ],
    ['not covered', { expected: { kind: 'new' } }, aFinding(1, 0), 'new'],
    [
      'flaky, and passed a long row',
      { expected: flaky },
      aFinding(61, 0, surprised('confirmed', 'improvement')),
      'improvement',
    ],
    [
      'flaky, without a change of its rate',
      { expected: flaky },
      aFinding(12, 8, surprised('confirmed', 'regression')),
      'as_expected',
    ],
    [
      'flaky with too few fresh trials',
      { expected: flaky },
      aFinding(1, 3, surprised('unsettled', 'regression')),
      'regression, unsettled',
    ],
    ['inconclusive', { expected: covered }, { ...aFinding(0, 0), verdict: 'inconclusive' }, 'null'],
    ['blocked', { expected: known }, { ...aFinding(0, 0), verdict: 'blocked' }, 'null'],
    ['not run', { expected: { kind: 'new' } }, { ...aFinding(0, 0), verdict: 'not_run' }, 'null'],
  ])('%s', (_, made, found, expected) => {
    expect(stands(made, found)).toBe(expected);
  });
});

describe('standing without fresh samples', () => {
  test.each<[string, TicketChanges, Finding, number, string]>([
    ['one failing trial raises no alarm', { expected: covered }, aFinding(0, 1), 1, 'regression, unsettled'],
    ['two of two are not enough for many cells', { expected: covered }, aFinding(0, 2), 700, 'regression, unsettled'],
    ['three of three are', { expected: covered }, aFinding(0, 3), 700, 'regression'],
    ['a part that could be chance', { expected: covered }, aFinding(9, 1), 700, 'regression, unsettled'],
    ['a part that cannot be chance', { expected: covered }, aFinding(10, 10), 700, 'regression'],
    ['one pass of a failing cell', { expected: known }, aFinding(1, 0), 1, 'improvement, unsettled'],
    ['three passes of it', { expected: known }, aFinding(3, 0), 700, 'improvement'],
    ['passes of it in part, however many', { expected: known }, aFinding(20, 10), 700, 'as_expected, rose'],
    ['a single failure among many passes of it', { expected: known }, aFinding(29, 1), 700, 'improvement'],
    ['a single pass among many failures of it', { expected: known }, aFinding(1, 29), 700, 'as_expected'],
    ['a long row of passes of a flaky cell', { expected: seldom }, aFinding(34, 0), 700, 'improvement'],
    ['a shorter row', { expected: seldom }, aFinding(33, 0), 700, 'as_expected'],
    ['a row that shows nothing of one that hardly fails', { expected: flaky }, aFinding(60, 0), 700, 'as_expected'],
    ['one failure in another way', { expected: known }, aFinding(0, 1, rejected), 1, 'changed, unsettled'],
    ['three in another way', { expected: known }, aFinding(0, 3, rejected), 1, 'changed'],
    [
      'what the entry leaves out is not compared',
      { expected: anEntry({ key, class: null, reason: null, status: null }) },
      aFinding(0, 3, rejected),
      1,
      'as_expected',
    ],
  ])('%s', (_, made, found, plannedCells, expected) => {
    expect(stands({ ...made, confirm: false }, found, plannedCells)).toBe(expected);
  });
});

describe('standing of a cell that the baseline knows from few trials', () => {
  const once = { kind: 'pass', threshold: null, trials: 1 } as const;
  const pooled = { ...once, pooled: { passed: 8, total: 14 } };
  const failed = { ...anEntry({ key, provisional: true }), trials: 1 };
  const flakyFew = { ...anEntry({ key, verdict: 'flaky', passed: 1, total: 2, provisional: true }), trials: 2 };

  test.each<[string, TicketChanges, Finding, string]>([
    ['passes', { expected: once }, aFinding(1, 0), 'as_expected'],
    [
      'passes in part',
      { expected: once },
      aFinding(4, 3, surprised('cleared', 'regression')),
      'as_expected, unsettled',
    ],
    ['no longer passes', { expected: once }, aFinding(0, 35, surprised('confirmed', 'regression')), 'regression'],
    [
      'had too few trials to say that it no longer passes',
      { expected: once },
      aFinding(0, 3, surprised('unsettled', 'regression')),
      'regression, unsettled',
    ],
    ['passed in part before, and now', { expected: pooled }, aFinding(0, 1), 'as_expected, unsettled'],
    ['failed, and now passes in part', { expected: failed }, aFinding(3, 4), 'as_expected, unsettled'],
    [
      'failed, and now passes',
      { expected: failed },
      aFinding(35, 0, surprised('confirmed', 'improvement')),
      'improvement',
    ],
    ['is flaky as accepted', { expected: flakyFew }, aFinding(4, 3), 'as_expected'],
    ['is flaky and failed once', { expected: flakyFew }, aFinding(0, 1), 'as_expected'],
    [
      'is flaky, and passed a long row',
      { expected: flakyFew },
      aFinding(61, 0, surprised('confirmed', 'improvement')),
      'improvement',
    ],
  ])('%s', (_, made, found, expected) => expect(stands(made, found)).toBe(expected));

  test.each<[string, TicketChanges, Finding, string]>([
    ['three failures are too few', { expected: once }, aFinding(0, 3), 'regression, unsettled'],
    ['a long row of failures is enough', { expected: once }, aFinding(0, 34), 'regression'],
    ['in part', { expected: once }, aFinding(4, 3), 'as_expected, unsettled'],
    ['three passes of one that failed', { expected: failed }, aFinding(3, 0), 'improvement, unsettled'],
    ['another kind of failure', { expected: failed }, aFinding(0, 40, rejected), 'changed, unsettled'],
    ['a flaky one that failed', { expected: flakyFew }, aFinding(0, 3), 'regression, unsettled'],
    ['a flaky one', { expected: flakyFew }, aFinding(2, 1), 'as_expected'],
  ])('without fresh samples: %s', (_, made, found, expected) =>
    expect(stands({ ...made, confirm: false }, found)).toBe(expected),
  );

  test('is compared with the rate that earlier runs showed', () => {
    const one = aTicket({ path: 'suite/p', expected: pooled });
    const changeAt = (pValue: number) => {
      const fresh = { suspicion: 'regression', passed: 1, total: 20, pValue } as const;
      return rateChangesOf([one], new Map([[one.cell.key, aFinding(1, 20, { surprise: 'confirmed', fresh })]])).size;
    };
    expect([changeAt(0.001), changeAt(0.02)]).toEqual([1, 0]);
  });
});

describe('a stored threshold without fresh samples', () => {
  const stored = { expected: { kind: 'pass', threshold: 1280 }, confirm: false } as const;
  type Curve = NonNullable<Finding['threshold']>['curve'];
  const found = (value: number, curve: Curve): Finding => {
    const [, passed = 0] = curve.find(([x]) => x === value) ?? [];
    return aFinding(passed, 0, { threshold: { value, last_failing: 16, monotonic: true, curve } });
  };
  test.each<[string, Finding, string]>([
    [
      'that still applies',
      found(1280, [
        [1137, 0, 3],
        [1280, 3, 3],
      ]),
      'as_expected',
    ],
    [
      'that rose',
      found(4096, [
        [1137, 0, 3],
        [1280, 0, 3],
        [4096, 3, 3],
      ]),
      'regression',
    ],
    [
      'that seems to have risen',
      found(4096, [
        [1280, 0, 1],
        [4096, 1, 1],
      ]),
      'regression, unsettled',
    ],
    [
      'that fell',
      found(200, [
        [192, 0, 3],
        [200, 3, 3],
        [1137, 3, 3],
        [1280, 3, 3],
      ]),
      'improvement',
    ],
    [
      'that seems to have fallen',
      found(200, [
        [200, 1, 1],
        [1137, 1, 1],
        [1280, 1, 1],
      ]),
      'improvement, unsettled',
    ],
    [
      'that is outside the range of the search',
      found(4096, [
        [2048, 0, 3],
        [4096, 3, 3],
      ]),
      'as_expected',
    ],
  ])('%s', (_, result, expected) => expect(stands(stored, result)).toBe(expected));
});

describe('a cell that passes more often, but not always', () => {
  test('is as expected, with another rate', () => {
    expect(stands({ expected: seldom }, aFinding(18, 2), 700, 'rose')).toBe('as_expected, rose');
    expect(stands({ expected: seldom, confirm: false }, aFinding(18, 2), 700, 'rose')).toBe('as_expected, rose');
  });
});

describe('rateChangesOf', () => {
  const compared = (pValues: readonly number[]) => {
    const tickets = pValues.map((_, index) => aTicket({ path: `suite/p${index}`, expected: flaky }));
    const findings = tickets.map(({ cell }, index) => {
      const fresh = { suspicion: 'regression', passed: 10, total: 20, pValue: pValues[index] ?? null } as const;
      return [cell.key, aFinding(10, 10, { surprise: 'confirmed', fresh })] as const;
    });
    return rateChangesOf(aPlan(tickets).tickets, new Map(findings)).size;
  };

  test('controls the false discovery rate over all flaky cells together', () => {
    expect(compared([0.008])).toBe(1);
    expect(compared([0.008, ...Array.from({ length: 19 }, () => 0.5)])).toBe(0);
    expect(compared([0.0004, ...Array.from({ length: 19 }, () => 0.5)])).toBe(1);
  });

  test('compares all trials in a run without fresh samples', () => {
    const one = aTicket({ path: 'suite/p', expected: flaky, confirm: false });
    expect(rateChangesOf([one], new Map([[one.cell.key, aFinding(5, 15)]])).get(one.cell.key)).toBe('fell');
    expect(rateChangesOf([one], new Map([[one.cell.key, aFinding(18, 2)]])).size).toBe(0);
  });

  test('shows a higher rate, also in a run with fresh samples', () => {
    for (const confirm of [true, false]) {
      const one = aTicket({ path: 'suite/p', expected: seldom, confirm });
      const change = (passed: number) => rateChangesOf([one], new Map([[one.cell.key, aFinding(passed, 20 - passed)]]));
      expect([...change(17).values(), ...change(12).values()]).toEqual(['rose']);
    }
  });
});
