import { expect, test } from 'vitest';
import { foundWithin } from '../../bench/found-within.js';
import { meanOverCells, timesAskedNightly } from '../../bench/nightly-plan.js';

const asked = await timesAskedNightly();
const shares = new Map<number, number>();
/** Of cells asked so many times a night; simulated once. */
function noticed(trials: number): number {
  const share =
    shares.get(trials) ?? foundWithin(3, 'standard', [{ rate: 0.6, trials }], 100 + trials, { attempts: 300 });
  shares.set(trials, share);
  return share;
}

test('a cell of the nightly plan that drops from 0.98 to 0.6 is noticed within three nights in at least 80 % of cases', () => {
  expect(meanOverCells(asked, noticed)).toBeGreaterThanOrEqual(0.8);
  // A cell that runs once a night cannot reach this: in 0.6 ** 3 of cases it shows no failure in three nights.
  expect(noticed(2)).toBeGreaterThanOrEqual(0.9);
});
