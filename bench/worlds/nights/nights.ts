import type { RunProfile } from '../../../src/plan/ticket.js';
import { randomFrom } from '../../../test/support/random.js';
import {
  acceptedAfterOneRun,
  quietNight,
  simulateNight,
  type Night,
  type NightBefore,
  type NightOptions,
} from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

/** Of cells of known rates, one run of a profile is accepted; the nights after it are runs of `standard`. */
interface Accepted {
  readonly cells: readonly SimulatedCell[];
  readonly accepted: RunProfile;
  readonly seed: number;
}

export interface UnchangedNights extends Accepted {
  /** How many times a run is accepted and followed. */
  readonly baselines: number;
  /** After each accepted run. */
  readonly nights: number;
  /** The share of answers that the bad hour of one night in ten spoils; default: 0. */
  readonly spoilt?: number;
}

/** Nights in which nothing has changed since the accepted run, each of which knows the one before. */
export function unchangedNights({ cells, accepted, seed, baselines, nights, spoilt = 0 }: UnchangedNights) {
  const random = randomFrom(seed);
  const alarmsByNight = Array.from({ length: nights }, () => 0);
  const sums = { nights: baselines * nights, withAlarm: 0, unsettled: 0, requests: 0, alarmsByNight };
  for (let index = 0; index < baselines; index++) {
    const known = acceptedAfterOneRun(cells, accepted, random);
    let before: NightBefore = quietNight;
    for (let after = 0; after < nights; after++) {
      const night: Night = simulateNight(known, { random, before, ...badHour(random, cells.length, spoilt) });
      const hasAlarm = night.alarms.length > 0 ? 1 : 0;
      sums.withAlarm += hasAlarm;
      alarmsByNight[after]! += hasAlarm;
      sums.unsettled += night.unsettled.length;
      sums.requests += night.requests;
      before = night;
    }
  }
  return sums;
}

/** Draws whether a night has a bad hour, and which of its eight; the plan is asked in order. */
function badHour(random: () => number, cells: number, spoilt: number): Pick<NightOptions, 'rateInHour'> {
  if (spoilt === 0 || random() >= 0.1) return {};
  const bad = Math.floor(random() * 8);
  return { rateInHour: (rate, index) => (Math.floor((index * 8) / cells) === bad ? rate * (1 - spoilt) : rate) };
}

/** What changes after the accepted run. */
export interface Change {
  /** The cells as they were accepted and are asked before the change; default: as they were given. */
  readonly before?: readonly SimulatedCell[];
  readonly after: readonly SimulatedCell[];
  /** Cells that should alarm. */
  readonly keys: ReadonlySet<string>;
  readonly spoilt?: NightOptions['spoilt'];
}
/** null: of this accepted run, no cell can change so. */
export type Changing = (accepted: readonly SimulatedCell[], random: () => number) => Change | null;

export interface ChangedNights extends Accepted {
  readonly change: Changing;
  /** Runs between the accepted one and the change; default: none. */
  readonly between?: readonly RunProfile[];
  /** Of the nights after the change; default: `standard`. */
  readonly profile?: RunProfile;
  readonly within: number;
  readonly attempts: number;
  /** So many of the changed cells have to alarm; default: 1. */
  readonly alarms?: number;
  /** All attempts begin from one accepted run; a large one takes long, and the luck of its many cells evens out. */
  readonly isRepeated?: boolean;
}

/** The share of attempts in which a change alarms in the first night, within two nights, and so on. */
export function foundWithin(options: ChangedNights): readonly number[] {
  const { cells, accepted, change, between = [], profile = 'standard', within, alarms: enough = 1 } = options;
  const random = randomFrom(options.seed);
  const accept = () => acceptedAfterOneRun(cells, accepted, random);
  const repeated = options.isRepeated === true ? accept() : null;
  const nightOfAlarm = (): number | null => {
    const known = repeated ?? accept();
    const changed = change(known, random);
    if (changed === null) return null;
    let before: NightBefore = quietNight;
    for (const run of between) before = simulateNight(changed.before ?? known, { profile: run, random, before });
    const { after, keys, spoilt } = changed;
    for (let index = 0; index < within; index++) {
      const night: Night = simulateNight(after, { profile, random, before, ...(spoilt && { spoilt }) });
      if (night.alarms.filter((key) => keys.has(key)).length >= enough) return index;
      before = night;
    }
    return within;
  };
  const nights = Array.from({ length: options.attempts }, nightOfAlarm).filter((night) => night !== null);
  return Array.from({ length: within }, (_, last) => nights.filter((night) => night <= last).length / nights.length);
}

/** Cells in a row, one for each number of trials a night, fall to this rate from 0.98; so many trials were accepted. */
export function falls(rate: number, trials: readonly number[], accepted = 10): Changing {
  const known = { kind: 'pass', threshold: null, trials: accepted } as const;
  return (cells, random) => {
    // They stand one after the other, as the cells of a model do.
    const first = Math.floor(random() * (cells.length - trials.length + 1));
    const withRate = (of: number) =>
      cells.map((cell, index): SimulatedCell => {
        const asked = trials[index - first];
        return asked === undefined ? cell : { ...cell, trials: asked, rate: of, expected: known };
      });
    const after = withRate(rate);
    return { before: withRate(0.98), after, keys: keysOf(after.slice(first, first + trials.length)) };
  };
}

/** The first cell of one rate that was accepted in this way gets another rate. */
export function turns(from: number, to: number, expected: 'pass' | 'entry'): Changing {
  return (accepted) => {
    const victim = accepted.find((cell) => cell.rate === from && cell.expected.kind === expected);
    if (victim === undefined) return null;
    return {
      after: accepted.map((cell) => (cell === victim ? { ...cell, rate: to } : cell)),
      keys: keysOf([victim]),
    };
  };
}

/** A share of all answers of the first model fails in a way that was not known. */
export function modelFails(share: number): Changing {
  return (accepted) => {
    const keys = keysOf(accepted.filter(({ key }) => key.endsWith('/model-0')));
    return { after: accepted, keys, spoilt: ({ key }) => (keys.has(key) ? share : 0) };
  };
}

const keysOf = (cells: readonly SimulatedCell[]): ReadonlySet<string> => new Set(cells.map(({ key }) => key));

/** So many cells of one model that are asked once and twice by turns. */
export const onceAndTwice = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => 1 + (index % 2));

/** Cells of models with 60 cells each that fail in 0 to 5 of 100; half of the probes are asked twice. */
export const soundCells = (count: number): readonly SimulatedCell[] =>
  cellsOf(
    count,
    (index) => 1 - (index % 6) / 100,
    (index) => 1 + (Math.floor(index / 6) % 2),
  );

/** True pass rates of a service whose models are honestly flaky. */
export const mixedRates = [1, 0.97, 0.9, 0.7, 0.4, 0] as const;

/** Cells of these rates, equally often, each asked once a night. */
export const mixedCells = (count: number): readonly SimulatedCell[] =>
  cellsOf(
    count,
    (index) => mixedRates[index % mixedRates.length]!,
    () => 1,
  );

function cellsOf(
  count: number,
  rateAt: (index: number) => number,
  trialsAt: (index: number) => number,
): readonly SimulatedCell[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `nights/cell-${index % 60}@simulated/model-${Math.floor(index / 60)}`,
    ...{ rate: rateAt(index), trials: trialsAt(index), expected: { kind: 'new' } },
  }));
}
