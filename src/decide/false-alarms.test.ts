import { expect, test } from 'vitest';
import { alarmBoundary, rowForAlarm } from './false-alarms.js';

test.each([1, 12, 720, 5000])(
  'in a run of %i cells the false alarms over all cells average less than 0.05',
  (cells) => {
    expect(cells * Math.exp(-alarmBoundary(cells))).toBeCloseTo(0.05, 9);
    expect(cells * 0.5 ** rowForAlarm(cells)).toBeLessThanOrEqual(0.05);
    expect(cells * 0.5 ** (rowForAlarm(cells) - 1)).toBeGreaterThan(0.05);
  },
);
