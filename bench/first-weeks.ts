import type { Profile } from '../src/plan/ticket.js';
import { randomFrom } from './random.js';
import { acceptedAfterOneRun, simulateNight, type Night } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

/** True pass rates of a service whose models are honestly flaky. */
export const mixedRates = [1, 0.97, 0.9, 0.7, 0.4, 0] as const;

/** Cells of these rates, equally often, each asked once a night. */
export function mixedCells(count: number, rates: readonly number[] = mixedRates): readonly SimulatedCell[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `weeks/cell-${index}@simulated/model-${Math.floor(index / 60)}`,
    rate: rates[index % rates.length] ?? 1,
    expected: { kind: 'new' },
    trials: 1,
  }));
}

export interface FirstWeeks {
  readonly cells: readonly SimulatedCell[];
  /** How many times a baseline is accepted from one run and followed for its first nights. */
  readonly baselines: number;
  readonly nights: number;
  readonly seed: number;
  readonly profile?: Profile;
}

interface After {
  readonly accepted: readonly SimulatedCell[];
  readonly nights: readonly Night[];
}

/** The first nights after one `standard` run was accepted, each of which knows what those before it learned. */
function firstNights(options: FirstWeeks, random: () => number): After {
  const { cells, nights, profile = 'standard' } = options;
  const accepted = acceptedAfterOneRun(cells, 'standard', random);
  const done: Night[] = [];
  while (done.length < nights) done.push(nightAfter(accepted, done.at(-1), profile, random));
  return { accepted, nights: done };
}

function nightAfter(
  cells: readonly SimulatedCell[],
  before: Night | undefined,
  profile: Profile,
  random: () => number,
): Night {
  return simulateNight(cells, {
    ...{ profile, random, shownBefore: before?.shown ?? new Map() },
    ...(before && { learnedBefore: before.learned }),
  });
}

/** Nights on which nothing had changed since the accepted run. */
export function unchangedWeeks(options: FirstWeeks) {
  const random = randomFrom(options.seed);
  const sums = { nights: 0, withAlarm: 0, unsettled: 0, requests: 0 };
  for (let index = 0; index < options.baselines; index++) {
    for (const night of firstNights(options, random).nights) {
      sums.nights += 1;
      sums.withAlarm += night.alarms.length > 0 ? 1 : 0;
      sums.unsettled += night.unsettled.length;
      sums.requests += night.requests;
    }
  }
  return sums;
}

/** How often a cell that used to pass at least sometimes and dies after these nights raises an alarm the same night. */
export function deadFound(options: FirstWeeks, rate: number) {
  const random = randomFrom(options.seed);
  const profile = options.profile ?? 'standard';
  const sums = { died: 0, found: 0 };
  for (let index = 0; index < options.baselines; index++) {
    const { accepted, nights } = firstNights(options, random);
    // Of those that were accepted as passing.
    const at = accepted.findIndex((cell) => cell.rate === rate && cell.expected.kind === 'pass');
    const victim = accepted[at];
    if (victim === undefined) continue;
    const dead = accepted.map((cell) => (cell === victim ? { ...cell, rate: 0 } : cell));
    const night = nightAfter(dead, nights.at(-1), profile, random);
    sums.died += 1;
    sums.found += night.alarms.includes(victim.key) ? 1 : 0;
  }
  return sums.found / sums.died;
}
