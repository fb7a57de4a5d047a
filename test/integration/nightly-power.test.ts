import { expect, test } from 'vitest';
import { randomFrom } from '../../bench/random.js';
import { simulateNight } from '../../bench/simulate-night.js';
import type { SimulatedCell } from '../../bench/simulated-cell.js';
import type { Ticket } from '../../src/plan/cell.js';
import { makePlan } from '../../src/plan/make-plan.js';
import { configOf, loadBuiltin } from '../support/builtin-suites.js';

const nights = 1000;
const core = await loadBuiltin('core');
const options = { tags: ['nightly'] };
const { plan } = makePlan({ config: configOf(1), suites: core.suites, baseline: null, options });

/** How often a normal night puts the question of a cell. */
function timesAsked({ course, trials }: Ticket): number {
  const own = trials.kind === 'count' ? trials.count : 1;
  return course === 'enforce' ? Math.max(3, own) : own;
}

/** The share of cells that fell from 0.98 to 0.6 and were noticed by `standard` within three nights. */
function noticed(trials: number): number {
  const random = randomFrom(100 + trials);
  const cell: SimulatedCell = { key: 'the one', rate: 0.6, expected: { kind: 'pass', threshold: null }, trials };
  const alarms = () => simulateNight([cell], { profile: 'standard', random, plannedCells: 720 }).alarms.length > 0;
  return Array.from({ length: nights }, () => [1, 2, 3].some(alarms)).filter(Boolean).length / nights;
}

test('any cell of the nightly plan that falls from 0.98 to 0.6 is noticed within three nights in at least 80 %', () => {
  const asked = plan.tickets.map(timesAsked);
  const byTimes = new Map([...new Set(asked)].map((times) => [times, noticed(times)]));
  const mean = asked.reduce((sum, times) => sum + (byTimes.get(times) ?? 0), 0) / asked.length;
  expect(mean).toBeGreaterThanOrEqual(0.8);
  // What is asked once a night cannot reach it: three nights show no failure in 0.6 ** 3 of all cases.
  expect(byTimes.get(2)).toBeGreaterThanOrEqual(0.9);
});
