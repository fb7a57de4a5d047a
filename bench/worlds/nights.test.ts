import { describe, expect, test } from 'vitest';
import type { Expected } from '../../src/baseline/entries.js';
import { anEntry } from '../../test/support/build.js';
import { randomFrom } from '../../test/support/random.js';
import {
  falls,
  foundWithin,
  mixedCells,
  modelFails,
  onceAndTwice,
  soundCells,
  turns,
  unchangedNights,
  type ChangedNights,
} from './nights/nights.js';
import { type NightBefore, quietNight, simulateNight } from './nights/simulate-night.js';
import type { SimulatedCell } from './nights/simulated-cell.js';

/** Larger numbers: `npm run worlds -- nights`. */
describe('nights without a change', () => {
  test.each([
    { cells: soundCells(60), accepted: 'standard', baselines: 4 },
    { cells: soundCells(60), accepted: 'certify', baselines: 4 },
    { cells: mixedCells(60), accepted: 'standard', baselines: 4 },
    { cells: mixedCells(60), accepted: 'certify', baselines: 4 },
    { cells: soundCells(720), accepted: 'certify', baselines: 1 },
    { cells: mixedCells(720), accepted: 'standard', baselines: 1 },
  ] as const)('alarm in at most one of 200', ({ cells, accepted, baselines }) => {
    const { withAlarm, nights } = unchangedNights({ cells, accepted, baselines, nights: 30, seed: 1 });
    expect(withAlarm).toBeLessThanOrEqual(Math.ceil(nights / 200));
  });

  test.each([
    { count: 60, baselines: 4 },
    { count: 720, baselines: 1 },
  ])('nor when an hour of one in ten spoils 3 answers in 10: $count cells', ({ count, baselines }) => {
    const options = { cells: soundCells(count), accepted: 'certify', baselines, nights: 30, seed: 24 } as const;
    const { withAlarm, nights } = unchangedNights({ ...options, spoilt: 0.3 });
    expect(withAlarm).toBeLessThanOrEqual(Math.ceil(nights / 200));
  });
});

function found(cells: readonly SimulatedCell[], options: Partial<ChangedNights> & Pick<ChangedNights, 'change'>) {
  const within = foundWithin({ cells, accepted: 'certify', within: 3, attempts: 40, seed: 5, ...options });
  const [same, two, three] = within as [number, number, number];
  return { same, two, three };
}

describe('a cell that stops passing is found the same night', () => {
  test.each(['standard', 'certify'] as const)('always, by %s', (profile) =>
    expect(found(soundCells(720), { change: falls(0, [1]), profile, isRepeated: true, attempts: 10 }).same).toBe(1),
  );

  test.each([1, 0.97, 0.9, 0.7, 0.4])('whatever it passed at: %d, known from one trial', (rate) => {
    expect(found(mixedCells(60), { change: turns(rate, 0, 'pass'), accepted: 'standard', attempts: 20 }).same).toBe(1);
  });

  test.each([1, 0.97, 0.9])('also after six nights: %d, known from one trial', (rate) => {
    const between = Array<'standard'>(6).fill('standard');
    expect(
      found(mixedCells(60), { change: turns(rate, 0, 'pass'), accepted: 'standard', between, attempts: 10 }).same,
    ).toBe(1);
  });

  test('even in a bad hour', () => {
    const random = randomFrom(6);
    for (let index = 0; index < 8; index++) {
      const dead = soundCells(720).map((cell, at): SimulatedCell => {
        return { ...cell, expected: known('pass', 10, 10), ...(at === 30 && { rate: 0 }) };
      });
      const rateInHour = (rate: number, at: number) => (at < 90 ? rate * 0.8 : rate);
      const { alarms, shared } = simulateNight(dead, { random, rateInHour, before: quietNight });
      expect(alarms).toContain(dead[30]!.key);
      expect(shared.size).toBeGreaterThan(0);
    }
  });
});

describe('other changes are found', () => {
  test('a cell that never passed and always passes now, the same night', () =>
    expect(found(mixedCells(60), { change: turns(0, 1, 'entry'), accepted: 'standard' }).same).toBe(1));

  test('one cell that falls from 0.98 to 0.6, within three nights in most cases', () =>
    expect(found(soundCells(60), { change: falls(0.6, [2], 40) }).three).toBeGreaterThanOrEqual(0.6));

  test.each([60, 720])('of 15 that fall to 0.6 some, within three nights: of %d', (count) =>
    expect(found(soundCells(count), { change: falls(0.6, onceAndTwice(15), 40), isRepeated: true }).three).toBe(1),
  );

  test('a model that fails in one of five answers, within two nights', () =>
    expect(found(soundCells(60), { change: modelFails(0.2) }).two).toBeGreaterThanOrEqual(0.95));
});

describe('a change that nobody accepts alarms every night, however little was known of the cell', () => {
  const others = soundCells(720).map((cell): SimulatedCell => ({ ...cell, expected: known('pass', 10, 10) }));

  test.each([
    { how: 'dead', rate: 0, expected: known('pass', 1, 1) },
    { how: 'dead', rate: 0, expected: known('pass', 3, 3) },
    { how: 'dead', rate: 0, expected: known('pass', 10, 10) },
    { how: 'dead', rate: 0, expected: known('flaky', 3, 5) },
    { how: 'dead', rate: 0, expected: known('flaky', 9, 15) },
    { how: 'healed', rate: 1, expected: known('fail', 0, 2) },
    { how: 'healed', rate: 1, expected: known('fail', 0, 10) },
  ])('$how, accepted as $expected', ({ rate, expected }) => {
    const random = randomFrom(5);
    const changed: SimulatedCell = { key: 'nights/changed@simulated/model-3', rate, expected, trials: 1 };
    let before: NightBefore = quietNight;
    for (let count = 1; count <= 5; count++) {
      const night = simulateNight([...others, changed], { random, before });
      expect({ count, told: night.alarms.includes(changed.key) }).toEqual({ count, told: true });
      before = night;
    }
  });
});

/** As a baseline says of a cell that it passed so often. */
function known(verdict: 'pass' | 'flaky' | 'fail', passed: number, trials: number): Expected {
  if (verdict === 'pass') return { kind: 'pass', threshold: null, trials };
  return { ...anEntry({ verdict, passed, total: trials }), trials };
}
