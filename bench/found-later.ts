import { wellKnown } from '../src/baseline/knowledge.js';
import type { Profile } from '../src/plan/ticket.js';
import type { Changed } from './found-within.js';
import { randomFrom } from './random.js';
import { acceptedAfterOneRun, quietNight, simulateNight, type NightBefore } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

export interface LaterChange {
  /** The cells of the run; some of them are replaced by those that change. */
  readonly cells: readonly SimulatedCell[];
  readonly changed: readonly Changed[];
  /** The runs between the accepted one and the change. */
  readonly between: readonly Profile[];
  readonly within: number;
  readonly attempts: number;
  readonly seed: number;
  /** All attempts begin from one accepted run; a large one takes long, and the luck of its many cells evens out. */
  readonly isRepeated?: boolean;
}

const usualRate = 0.98;
const known = { kind: 'pass', threshold: null, trials: wellKnown } as const;

/**
 * How often, when these cells fall from 0.98 some runs after the baseline was accepted from one `certify` run, at least
 * one of them alarms in the first night, within two nights, and so on.
 */
export function foundLater(options: LaterChange): readonly number[] {
  const { cells, changed, between, within, attempts, seed, isRepeated = false } = options;
  const random = randomFrom(seed);
  const accepted = () => acceptedAfterOneRun(cells, 'certify', random);
  const repeated = isRepeated ? accepted() : null;
  const nightOfAlarm = (): number => {
    const others = repeated ?? accepted();
    const first = Math.floor(random() * (others.length - changed.length + 1));
    const withRates = (rateOf: (change: Changed) => number) =>
      others.map((cell, index): SimulatedCell => {
        const change = changed[index - first];
        return change === undefined ? cell : { ...cell, ...change, rate: rateOf(change), expected: known };
      });
    const [usual, fallen] = [withRates(() => usualRate), withRates(({ rate }) => rate)];
    const keys = new Set(fallen.slice(first, first + changed.length).map(({ key }) => key));
    let before: NightBefore = quietNight;
    const night = (asked: readonly SimulatedCell[], profile: Profile = 'standard') => {
      const { alarms, ...rest } = simulateNight(asked, { profile, random, before });
      before = rest;
      return alarms;
    };
    for (const profile of between) night(usual, profile);
    for (let index = 0; index < within; index++) if (night(fallen).some((key) => keys.has(key))) return index;
    return within;
  };
  const nights = Array.from({ length: attempts }, nightOfAlarm);
  return Array.from({ length: within }, (_, last) => nights.filter((found) => found <= last).length / attempts);
}
