import type { Profile } from '../src/plan/ticket.js';
import { badHours } from './bad-hours.js';
import { randomFrom } from './random.js';
import { acceptedAfterOneRun, quietNight, simulateNight, type Night, type NightBefore } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

export interface UnchangedNights {
  readonly nights: number;
  readonly profile: Profile;
  readonly cells: readonly SimulatedCell[];
  readonly seed: number;
  /** The share of answers that a bad hour spoils; 0: there are no bad hours. */
  readonly spoilt: number;
}

/** Nights on which nothing changed, each of which knows the one before. The baseline is accepted from one run. */
export function unchangedNights({ nights, profile, cells, seed, spoilt }: UnchangedNights) {
  const random = randomFrom(seed);
  const accepted = acceptedAfterOneRun(cells, 'certify', random);
  const sums = { withAlarm: 0, unsettled: 0, requests: 0 };
  let before: NightBefore = quietNight;
  for (let index = 0; index < nights; index++) {
    const rateInHour = spoilt > 0 ? badHours(random, cells.length, spoilt) : undefined;
    const night: Night = simulateNight(accepted, { profile, random, before, ...(rateInHour && { rateInHour }) });
    sums.withAlarm += night.alarms.length > 0 ? 1 : 0;
    sums.unsettled += night.unsettled.length;
    sums.requests += night.requests;
    before = night;
  }
  return sums;
}
