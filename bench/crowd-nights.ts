import type { Profile } from '../src/plan/ticket.js';
import { badHours } from './bad-hours.js';
import { randomFrom } from './random.js';
import { acceptedAfterOneRun, ordinaryCells, quietNight, simulateNight, type Night } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

/** Planned cells of a run: one model, a dozen, a service, several services. */
export const runSizes = [60, 720, 4440, 17_000] as const;

export const cellsOfSize = (size: number): readonly SimulatedCell[] => ordinaryCells(size / 60);

export interface CrowdNights {
  readonly size: number;
  readonly profile: Profile;
  /** How many cells in a row change, so that they belong to one model as far as it has so many. */
  readonly together: number;
  /** Their pass rate after the change. */
  readonly rate: number;
  /** How often each of them is asked a night; absent: once or twice, as the plan does. */
  readonly trials?: number;
  /** Nights after the change. */
  readonly nights: number;
  readonly attempts: number;
  readonly seed: number;
  /** The share of answers that a bad hour spoils; absent: there are no bad hours. */
  readonly spoilt?: number;
}

/** Of the changes: */
export interface Found {
  /** The share of which an alarm told within the nights. */
  readonly found: number;
  /** The share of which a changed cell failed at all within them, so that it could have been found. */
  readonly showed: number;
  /** The share of all changed cells that raised an alarm themselves. */
  readonly cells: number;
}

/** How often a change of cells that passed at 0.98, among all others of a run, is told within some nights. */
export function foundInCrowd(options: CrowdNights): Found {
  const { size, profile, together, rate, trials, nights, attempts, seed, spoilt = 0 } = options;
  const random = randomFrom(seed);
  const accepted = acceptedAfterOneRun(cellsOfSize(size), 'certify', random);
  const count = { found: 0, showed: 0, cells: 0 };
  for (let attempt = 0; attempt < attempts; attempt++) {
    const first = Math.floor(random() * (size - together + 1));
    const isChanged = (index: number) => index >= first && index < first + together;
    const before = accepted.map(
      (cell, index): SimulatedCell =>
        isChanged(index) ? { ...cell, expected: known, ...(trials === undefined ? {} : { trials }) } : cell,
    );
    const after = before.map((cell, index) => (isChanged(index) ? { ...cell, rate } : cell));
    const changed = new Set(after.filter((_, index) => isChanged(index)).map(({ key }) => key));
    const night = (cells: readonly SimulatedCell[], previous: Night | null) => {
      const rateInHour = spoilt > 0 ? badHours(random, size, spoilt) : undefined;
      return simulateNight(cells, { profile, random, before: previous ?? quietNight, ...(rateInHour && { rateInHour }) });
    };
    let last = night(before, night(before, null));
    const alarmed = new Set<string>();
    for (let index = 0; index < nights; index++) {
      last = night(after, last);
      for (const key of last.alarms) if (changed.has(key)) alarmed.add(key);
    }
    count.found += alarmed.size > 0 ? 1 : 0;
    count.cells += alarmed.size;
  }
  return { found: count.found / attempts, showed: 0, cells: count.cells / (attempts * together) };
}

const known: SimulatedCell['expected'] = { kind: 'pass', threshold: null };
