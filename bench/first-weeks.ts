import type { Profile } from '../src/plan/ticket.js';
import { randomFrom } from './random.js';
import { acceptedAfterOneRun, quietNight, simulateNight, type Night } from './simulate-night.js';
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
  /** Of the run that is accepted; default: `standard`. */
  readonly accepted?: Profile;
}

interface After {
  readonly accepted: readonly SimulatedCell[];
  readonly nights: readonly Night[];
}

/** The first nights after one run was accepted, each of which knows what those before it learned. */
function firstNights(options: FirstWeeks, random: () => number): After {
  const { cells, nights, profile = 'standard' } = options;
  const accepted = acceptedAfterOneRun(cells, options.accepted ?? 'standard', random);
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
    ...{ profile, random, before: before ?? quietNight },
  });
}

/** Nights on which nothing had changed since the accepted run. */
export function unchangedWeeks(options: FirstWeeks) {
  const random = randomFrom(options.seed);
  const alarmsByNight = Array.from({ length: options.nights }, () => 0);
  const sums = { nights: 0, withAlarm: 0, unsettled: 0, requests: 0, alarmsByNight };
  for (let index = 0; index < options.baselines; index++) {
    for (const [after, night] of firstNights(options, random).nights.entries()) {
      const hasAlarm = night.alarms.length > 0 ? 1 : 0;
      sums.nights += 1;
      sums.withAlarm += hasAlarm;
      alarmsByNight[after] = (alarmsByNight[after] ?? 0) + hasAlarm;
      sums.unsettled += night.unsettled.length;
      sums.requests += night.requests;
    }
  }
  return sums;
}

/** How often a cell that used to pass at least sometimes and dies after these nights raises an alarm the same night. */
export function deadFound(options: FirstWeeks, rate: number) {
  return foundAtOnce(options, { before: rate, after: 0, accepted: 'pass' });
}

/** How often a cell that used to fail at least sometimes, was accepted so, and now passes, is an improvement at once. */
export function healedFound(options: FirstWeeks, rate: number) {
  return foundAtOnce(options, { before: rate, after: 1, accepted: 'entry' });
}

/** How often a cell that was accepted in this way raises an alarm in the night in which its rate changes. */
function foundAtOnce(
  options: FirstWeeks,
  change: { readonly before: number; readonly after: number; readonly accepted: 'pass' | 'entry' },
) {
  const random = randomFrom(options.seed);
  const profile = options.profile ?? 'standard';
  const sums = { changed: 0, found: 0 };
  for (let index = 0; index < options.baselines; index++) {
    const { accepted, nights } = firstNights(options, random);
    const at = accepted.findIndex((cell) => cell.rate === change.before && cell.expected.kind === change.accepted);
    const victim = accepted[at];
    if (victim === undefined) continue;
    const changed = accepted.map((cell) => (cell === victim ? { ...cell, rate: change.after } : cell));
    const night = nightAfter(changed, nights.at(-1), profile, random);
    sums.changed += 1;
    sums.found += night.alarms.includes(victim.key) ? 1 : 0;
  }
  return sums.found / sums.changed;
}
