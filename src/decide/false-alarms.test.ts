import { describe, expect, test } from 'vitest';
import { alarmBoundary, rowAgainst, rowForAlarm } from './false-alarms.js';

test.each([1, 12, 720, 5000])(
  'in a run of %i cells the false alarms over all cells average less than 0.05',
  (cells) => {
    expect(cells * Math.exp(-alarmBoundary(cells))).toBeCloseTo(0.05, 9);
    expect(cells * 0.5 ** rowForAlarm(cells)).toBeLessThanOrEqual(0.05);
    expect(cells * 0.5 ** (rowForAlarm(cells) - 1)).toBeGreaterThan(0.05);
  },
);

describe('the row against little knowledge', () => {
  const row = (passed: number, total: number, suspicion: 'regression' | 'improvement' = 'regression') =>
    rowAgainst({ passed, total }, suspicion, 720, 60);

  test('is longer, the less is known', () => {
    const lengths = [1, 2, 3, 5, 9].map((total) => row(total, total));
    expect(lengths).toEqual([34, 23, 17, 12, 8]);
    // A cell that passes every fourth time, and all 720 like it.
    expect(720 * 0.75 ** 34).toBeLessThanOrEqual(0.05);
  });
  test('is the longest where all failed before and now pass', () => expect(row(9, 9, 'improvement')).toBe(34));
  test('is longest against a rate that is known to be low, if that is rare enough for the cell', () =>
    expect([row(1, 8), row(1, 20)]).toEqual([60, null]));
  test('proves nothing against a result that never came', () => expect(row(0, 5)).toBeNull());
});
