import { describe, expect, test } from 'vitest';
import { anEntry, aTicket, countedTrials, expectedPass, failing, passing } from '../../../test/support/build.js';
import { randomFrom } from '../../../test/support/random.js';
import { conclude } from '../../../test/support/run-course.js';
import type { Ticket } from '../../plan/ticket.js';
import { courseCost, coursesFor } from './courses.js';

const flaky = (passed: number, total: number, more: Partial<Ticket> = {}) =>
  aTicket({ expected: { ...anEntry({ verdict: 'flaky', passed, total }), trials: total }, ...more });

/** The mean of many nights, drawn by other numbers. */
function meanOf(ticket: Ticket, rate: number, plannedCells: number): number {
  const random = randomFrom(11);
  const course = coursesFor({ plannedCells })[ticket.course];
  const nights = 2000;
  let asked = 0;
  for (let night = 0; night < nights; night += 1) {
    asked += conclude(course, ticket, () => (random() < rate ? passing : failing)).asks.length;
  }
  return asked / nights;
}

describe('the usual trials of a cell that passes sometimes', () => {
  test.each([
    [9, 10, 1],
    [14, 20, 1],
    [14, 20, 3],
    [4, 10, 1],
    [2, 20, 30],
  ])('of %d of %d, asked %d times', (passed, total, times) => {
    const ticket = flaky(passed, total, { trials: countedTrials(times) });
    const mean = meanOf(ticket, passed / total, 720);
    expect(Math.abs(courseCost(ticket, 720).expected - mean)).toBeLessThanOrEqual(Math.max(1, 0.25 * mean));
  });

  test('are the same for all cells that are known alike, whatever their keys and notes', () => {
    const costs = Array.from({ length: 4000 }, (_, index) => {
      const entry = anEntry({ verdict: 'flaky', passed: 7, total: 10, key: `s/p${index}@t/m`, note: `${index}` });
      return courseCost(aTicket({ expected: { ...entry, trials: 10 } }), 20_000).expected;
    });
    expect(new Set(costs).size).toBe(1);
  });

  test('are none of a cell that passes or fails, as far as anybody knows', () => {
    expect(courseCost(aTicket({ expected: expectedPass }), 720).expected).toBe(1);
    expect(courseCost(aTicket({ expected: anEntry({}) }), 720).expected).toBe(1);
  });
});
