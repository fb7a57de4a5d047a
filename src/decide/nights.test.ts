import { describe, expect, test } from 'vitest';
import { deadFound, healedFound, mixedCells, unchangedWeeks } from '../../bench/first-weeks.js';
import { foundLater } from '../../bench/found-later.js';
import { foundWithin } from '../../bench/found-within.js';
import { randomFrom } from '../../bench/random.js';
import { cellsOfSize, type NightBefore, ordinaryCells, quietNight, simulateNight } from '../../bench/simulate-night.js';
import type { SimulatedCell } from '../../bench/simulated-cell.js';
import { unchangedNights } from '../../bench/unchanged-nights.js';
import { anEntry } from '../../test/support/build.js';
import type { Expected } from '../baseline/entries.js';
import { operatingCharacteristic } from '../stats/operating-characteristic.js';
import { defaultTest } from '../stats/sequential-test.js';

const nights = 400;
const cells = ordinaryCells();

/** Attempts are runs of 720 cells. */
const few = { attempts: 40 };
const some = { attempts: 100 };

/** As a baseline says of a cell that it passed so often. */
function known(verdict: 'pass' | 'flaky' | 'fail', passed: number, trials: number): Expected {
  if (verdict === 'pass') return { kind: 'pass', threshold: null, trials };
  return { ...anEntry({ verdict, passed, total: trials }), trials };
}

const nightsWithAlarm = (count: number, seed: number, spoilt: number) =>
  unchangedNights({ nights: count, profile: 'standard', cells, seed, spoilt }).withAlarm;

describe('400 nights of 720 cells, flake rates 0 to 5 %, in which nothing changed', () => {
  // A thousand are in `bench/nights.ts`.
  test('at most one with any alarm', { timeout: 60_000 }, () =>
    expect(nightsWithAlarm(nights, 1, 0)).toBeLessThanOrEqual(1),
  );

  // The whole thousand is in `bench/nights.ts`; with seed 65, two bad nights in a row hit the same model.
  test.each([
    { spoilt: 0.2, seed: 3 },
    { spoilt: 0.3, seed: 65 },
  ])(
    'proportionally no more when one night in ten has an hour that spoils $spoilt of the answers',
    { timeout: 60_000 },
    ({ spoilt, seed }) => expect(nightsWithAlarm(120, seed, spoilt)).toBeLessThanOrEqual(0),
  );
});

describe('one cell changes', () => {
  test.each(['standard', 'certify'] as const)(
    '%s always finds a cell that stopped passing the same night',
    (profile) => {
      expect(foundWithin(1, profile, [{ rate: 0, trials: 1 }], 5, few)).toBe(1);
    },
  );

  test('even in a bad hour', () => {
    const random = randomFrom(6);
    for (let index = 0; index < 20; index++) {
      const dead = cells.map((cell, at) => (at === 30 ? { ...cell, rate: 0 } : cell));
      const rateInHour = (rate: number, at: number) => (at < 90 ? rate * 0.8 : rate);
      const { alarms, unsettled } = simulateNight(dead, {
        profile: 'standard',
        random,
        rateInHour,
        before: quietNight,
      });
      expect(alarms).toContain(dead[30]?.key);
      expect(unsettled.length).toBeGreaterThan(0);
    }
  });

  test('five that fall to 0.6 together alarm within three nights in most cases', () => {
    const five = Array.from({ length: 5 }, () => ({ rate: 0.6, trials: 1 }));
    expect(foundWithin(3, 'standard', five, 12, few)).toBeGreaterThanOrEqual(0.9);
  });

  test('0.98 to 0.6 is found by certify the same night in at least 95 %', { timeout: 60_000 }, () => {
    expect(foundWithin(1, 'certify', [{ rate: 0.6, trials: 1 }], 7, few)).toBeGreaterThanOrEqual(0.95);
  });

  test(
    'and by standard within three nights in at least 80 %, over a plan that asks half of its probes twice',
    { timeout: 60_000 },
    () => {
      const once = foundWithin(3, 'standard', [{ rate: 0.6, trials: 1 }], 8, some);
      const twice = foundWithin(3, 'standard', [{ rate: 0.6, trials: 2 }], 9, some);
      expect((once + twice) / 2).toBeGreaterThanOrEqual(0.8);
      expect(twice).toBeGreaterThanOrEqual(0.9);
      // A cell that is asked once passes on all three nights in 0.6 ** 3 of all cases.
      expect(once).toBeLessThanOrEqual(1 - 0.6 ** 3 + 0.03);
    },
  );
});

describe('a run of any size', () => {
  const together = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ rate: 0.6, trials: 1 + (index % 2) }));

  test.each([
    { size: 60, attempts: 60 },
    { size: 720, attempts: 8 },
    { size: 4440, attempts: 3 },
    { size: 17_000, attempts: 1 },
  ])('finds 15 cells that fall to 0.6 within two nights, of $size', { timeout: 60_000 }, ({ size, attempts }) => {
    expect(foundWithin(2, 'standard', together(15), 21, { size, attempts })).toBe(1);
  });

  test('finds a whole model of 60 cells that falls to 0.6 within two nights', { timeout: 60_000 }, () =>
    expect(foundWithin(2, 'standard', together(60), 22, { attempts: 15 })).toBe(1),
  );

  test.each([
    { size: 720, attempts: 60 },
    { size: 4440, attempts: 12 },
    { size: 17_000, attempts: 8 },
  ])('finds a single one that is asked three times the same night, of $size', { timeout: 60_000 }, (run) =>
    expect(foundWithin(1, 'standard', [{ rate: 0.6, trials: 3 }], 23, run)).toBeGreaterThanOrEqual(0.6),
  );

  test.each([
    { size: 60, count: 1000, most: 4 },
    { size: 4440, count: 10, most: 0 },
    { size: 17_000, count: 2, most: 0 },
  ])(
    'raises no alarm because of bad hours that spoil 3 answers in 10, of $size',
    { timeout: 60_000 },
    ({ size, count, most }) => {
      const { withAlarm } = unchangedNights({
        ...{ nights: count, profile: 'standard', cells: cellsOfSize(size), seed: 24, spoilt: 0.3 },
      });
      expect(withAlarm).toBeLessThanOrEqual(most);
    },
  );
});

describe('the first nights after one run was accepted, of cells with rates from 1 to 0', () => {
  // The longer tables are in `bench/nights.ts`.
  test.each([
    { accepted: 'standard', count: 60, baselines: 15, length: 6 },
    { accepted: 'standard', count: 60, baselines: 2, length: 30 },
    { accepted: 'standard', count: 720, baselines: 1, length: 6 },
    { accepted: 'certify', count: 60, baselines: 20, length: 3 },
    { accepted: 'certify', count: 720, baselines: 1, length: 3 },
  ] as const)(
    'no more with any alarm than four in a thousand would show: $count cells accepted by $accepted, $length nights',
    { timeout: 60_000 },
    ({ accepted, count, baselines, length }) => {
      const sums = [1, 2, 3, 4].map((seed) =>
        unchangedWeeks({ cells: mixedCells(count), accepted, baselines, nights: length, seed }),
      );
      const [withAlarm, all] = [sumOf(sums, (sum) => sum.withAlarm), sumOf(sums, (sum) => sum.nights)];
      expect(withAlarm).toBeLessThanOrEqual(mostByChance(all, 0.004));
    },
  );

  test.each([1, 0.97, 0.9, 0.7, 0.4])(
    'a cell that passed at %d and no longer passes at all is found the same night',
    { timeout: 60_000 },
    (rate) => {
      for (const length of [0, 6]) {
        expect(deadFound({ cells: mixedCells(60), baselines: 12, nights: length, seed: 7 }, rate)).toBe(1);
      }
    },
  );

  test.each([0, 0.4])('one that passed at %d and now always passes, too', { timeout: 60_000 }, (rate) => {
    for (const length of [0, 6]) {
      const found = healedFound({ cells: mixedCells(60), baselines: 20, nights: length, seed: 8 }, rate);
      expect(found).toBeGreaterThanOrEqual(0.9);
      if (rate === 0) expect(found).toBe(1);
    }
  });
});

describe('a change that nobody accepts alarms every night, however little was known of the cell', () => {
  const others = cells.map((cell): SimulatedCell => ({ ...cell, expected: known('pass', 10, 10) }));

  test.each([
    { how: 'dead', rate: 0, expected: known('pass', 1, 1) },
    { how: 'dead', rate: 0, expected: known('pass', 3, 3) },
    { how: 'dead', rate: 0, expected: known('pass', 10, 10) },
    { how: 'dead', rate: 0, expected: known('flaky', 3, 5) },
    { how: 'dead', rate: 0, expected: known('flaky', 9, 15) },
    { how: 'healed', rate: 1, expected: known('fail', 0, 1) },
    { how: 'healed', rate: 1, expected: known('fail', 0, 10) },
    { how: 'healed', rate: 1, expected: known('flaky', 2, 5) },
    { how: 'healed', rate: 1, expected: known('flaky', 6, 15) },
  ])('$how, accepted as $expected', ({ rate, expected }) => {
    const random = randomFrom(5);
    const changed: SimulatedCell = { key: 'nights/changed@simulated/model-3', rate, expected, trials: 1 };
    let before: NightBefore = quietNight;
    for (let count = 1; count <= 5; count++) {
      const night = simulateNight([...others, changed], { profile: 'standard', random, before });
      expect({ count, told: night.alarms.includes(changed.key) }).toEqual({ count, told: true });
      before = night;
    }
  });
});

test('one cell that falls to 0.6 among cells that are flaky is found once a second certify run has passed it', () => {
  const found = (between: readonly 'certify'[]) =>
    foundLater({
      ...{ cells: mixedCells(60), changed: [{ rate: 0.6, trials: 2 }], between, within: 3, attempts: 30, seed: 31 },
    })[2];
  expect(found(['certify'])).toBeGreaterThanOrEqual(0.7);
  // Without it, ten passes cannot tell the change from luck.
  expect(found([])).toBeLessThan(0.3);
});

test('simulation and exact computation agree on the sequential test', () => {
  const random = randomFrom(11);
  const never = { expected: { kind: 'entry', entry: uncounted } } as const;
  const many = Array.from({ length: 4000 }, (_, index) => ({ ...never, key: `cell-${index}`, rate: 0.9, trials: 1 }));
  const { requests } = simulateNight(many, { profile: 'certify', random });
  const { meanTrials } = operatingCharacteristic(defaultTest, 0.9, 40);
  expect(requests / many.length).toBeGreaterThan(meanTrials - 0.6);
  expect(requests / many.length).toBeLessThan(meanTrials + 0.6);
});

const sumOf = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((sum, one) => sum + of(one), 0);

/** The largest number of nights that so rare an event strikes in 19 of 20 such simulations. */
function mostByChance(all: number, share: number): number {
  let [count, term, sum] = [0, Math.exp(-share * all), 0];
  for (;;) {
    sum += term;
    if (sum >= 0.95) return count;
    count += 1;
    term *= (share * all) / count;
  }
}

/** Flaky without counts: there is nothing to compare with, so only the test itself is asked. */
const uncounted = {
  key: 'any',
  verdict: 'flaky',
  class: null,
  reason: null,
  status: null,
  passed: null,
  total: null,
  date: '2026-01-01',
  note: null,
  link: null,
  provisional: false,
  threshold: null,
} as const;
