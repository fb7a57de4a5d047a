import { expect, test } from 'vitest';
import { foundWithin } from '../../bench/found-within.js';
import { meanOverCells, timesAskedNightly } from '../../bench/nightly-plan.js';

const asked = await timesAskedNightly();
const noticed = (trials: number) => foundWithin(3, 'standard', [{ rate: 0.6, trials }], 100 + trials);

test('a cell of the nightly plan that drops from 0.98 to 0.6 is noticed within three nights in at least 80 % of cases', () => {
  expect(meanOverCells(asked, noticed)).toBeGreaterThanOrEqual(0.8);
  // A cell asked once a night cannot reach this: it shows no failure in three nights in 0.6 ** 3 of cases.
  expect(noticed(2)).toBeGreaterThanOrEqual(0.9);
});
