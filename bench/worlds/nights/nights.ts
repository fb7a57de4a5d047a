import { expectedOf } from '../../../src/baseline/expected.js';
import type { Expected } from '../../../src/baseline/entries.js';
import type { RunProfile } from '../../../src/plan/plan.js';
import type { Count } from '../../../src/stats/count.js';
import { reliableRate } from '../../../src/stats/evidence.js';
import { anEntry } from '../../../test/support/build.js';
import { randomFrom } from '../../../test/support/random.js';
import { acceptedAfterOneRun, quietNight, simulateNight, type Night, type NightBefore } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

/** Rates of which a world draws one for each cell. */
export const worldRates = {
  /** Cells that fail in up to five of 100 answers. */
  sound: (random: () => number): number => 1 - 0.05 * random(),
  /** A service whose models are honestly flaky. */
  mixed: (random: () => number): number => mixed[Math.floor(mixed.length * random())] ?? 1,
} as const;

const mixed = [1, 0.97, 0.9, 0.7, 0.4, 0] as const;

export interface UnchangedNights {
  readonly kind: keyof typeof worldRates;
  readonly cells: number;
  /** The profile of the run that is accepted; the nights after it are runs of `standard`. */
  readonly accepted: RunProfile;
  /** How many worlds are drawn, accepted and followed. */
  readonly worlds: number;
  /** After each accepted run. */
  readonly nights: number;
  /** The share of answers that each tenth night spoils; default: 0. */
  readonly spoiled?: number;
  readonly seed: number;
}

/**
 * Nights in which nothing has changed since the accepted run, each of which knows the one before. A cell that alarms is
 * accepted as what all its trials show.
 * @returns `wrong`, `right`: nights with an alarm about a cell that is as it was accepted, and those that are only red
 * for cells accepted as passing that pass less than 95 times in 100; `unreliable`: cells told so, `unreliableWrongly`
 * those of them that do pass so often; `firstWeek`: nights among the first seven that are red wrongly
 */
export function unchangedNights({ kind, cells, accepted, worlds, nights, spoiled = 0, seed }: UnchangedNights) {
  const sums = { nights: worlds * nights, wrong: 0, right: 0, unreliable: 0, unreliableWrongly: 0, requests: 0 };
  let firstWeek = 0;
  for (let world = 0; world < worlds; world += 1) {
    const random = randomFrom(7919 * world + cells + seed);
    let all = acceptedAfterOneRun(
      worldOf(cells, () => worldRates[kind](random)),
      accepted,
      random,
    );
    let before: NightBefore = quietNight;
    for (let night = 0; night < nights; night += 1) {
      const share = night % 10 === 9 ? spoiled : 0;
      const found: Night = simulateNight(all, { random, before, rateInHour: (rate) => rate * (1 - share) });
      const alarms = new Set(found.alarms);
      const red = all.filter(({ key }) => alarms.has(key));
      const isWrong = red.some(({ expected, rate }) => expected.kind !== 'pass' || rate >= reliableRate);
      sums.wrong += isWrong ? 1 : 0;
      sums.right += !isWrong && red.length > 0 ? 1 : 0;
      firstWeek += isWrong && night < 7 ? 1 : 0;
      const rates = new Map(all.map(({ key, rate }) => [key, rate]));
      sums.unreliable += found.unreliable.length;
      sums.unreliableWrongly += found.unreliable.filter((key) => (rates.get(key) ?? 0) >= reliableRate).length;
      sums.requests += found.requests;
      all = all.map((cell) => (alarms.has(cell.key) ? acceptedAsShown(cell, found) : cell));
      before = found;
    }
  }
  return { ...sums, firstWeek };
}

function acceptedAsShown(cell: SimulatedCell, { cells }: Night): SimulatedCell {
  const memory = cells.get(cell.key);
  const trials = [memory?.known ?? nothing, ...(memory?.doubt ?? [])].reduce(
    (one, other) => ({ passed: one.passed + other.passed, total: one.total + other.total }),
    nothing,
  );
  return { ...cell, expected: knownAs(cell.key, trials) };
}

const nothing: Count = { passed: 0, total: 0 };

/** As a baseline says of a cell that passed so often. */
export function knownAs(key: string, { passed, total }: Count): Expected {
  if (passed === total) return { kind: 'pass', threshold: null, trials: total };
  const verdict = passed === 0 ? 'fail' : 'flaky';
  return { ...anEntry({ key, verdict, passed, total }), trials: total };
}

export interface ChangedCell {
  /** Cells of the run, which set the bound. */
  readonly cells: number;
  readonly from: number;
  readonly to: number;
  /** Trials that were accepted, and nights after that before the change. */
  readonly known: number;
  readonly nightsBefore: number;
  readonly attempts: number;
  readonly seed: number;
}

/** Nights after which a change is looked for. */
export const withinNights = [1, 2, 3, 4, 7, 14] as const;

/**
 * One cell that changes its pass rate.
 * @returns the shares of attempts that alarm within so many nights, that were told unreliable, and the requests of the
 * first night after the change
 */
export function nightsUntilFound({ cells, from, to, known, nightsBefore, attempts, seed }: ChangedCell) {
  const found = withinNights.map(() => 0);
  const sums = { unreliable: 0, requests: 0 };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const random = randomFrom(31 * attempt + cells + seed);
    const drawn = Array.from({ length: known }, () => random() < from).filter(Boolean).length;
    // A cell that nearly always passes is accepted as passing.
    const passed = from > 0.95 ? known : drawn;
    const cell: SimulatedCell = {
      key: aKey(0),
      rate: from,
      expected: knownAs(aKey(0), { passed, total: known }),
      trials: 1,
    };
    let before: NightBefore = quietNight;
    for (let night = 0; night < nightsBefore; night += 1) {
      before = simulateNight([cell], { random, before, plannedCells: cells });
    }
    for (let night = 0; night < 14; night += 1) {
      const after: Night = simulateNight([{ ...cell, rate: to }], { random, before, plannedCells: cells });
      if (night === 0) sums.requests += after.requests;
      sums.unreliable += after.unreliable.length;
      before = after;
      if (after.alarms.length === 0) continue;
      withinNights.forEach((within, index) => (found[index] = (found[index] ?? 0) + (night < within ? 1 : 0)));
      break;
    }
  }
  return {
    within: found.map((count) => count / attempts),
    unreliable: sums.unreliable / attempts,
    requests: sums.requests / attempts,
  };
}

/** Cells of models with 60 cells each, every one asked once a night. */
export function worldOf(count: number, rateOf: () => number): readonly SimulatedCell[] {
  return Array.from({ length: count }, (_, index) => ({
    key: aKey(index),
    rate: rateOf(),
    trials: 1,
    expected: expectedOf(null, aKey(index)),
  }));
}

const aKey = (index: number): string => `nights/cell-${index % 60}@simulated/model-${Math.floor(index / 60)}`;
