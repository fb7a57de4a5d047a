import { wellKnown } from '../src/baseline/knowledge.js';
import type { Profile } from '../src/plan/ticket.js';
import { randomFrom } from './random.js';
import {
  acceptedAfterOneRun,
  cellsOfSize,
  quietNight,
  simulateNight,
  type Night,
  type NightBefore,
} from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

/** Cells that are accepted in one run; a larger run repeats what is known of them, since accepting takes longer than a night. */
const repeated = 720;

function acceptedOf(size: number): readonly SimulatedCell[] {
  const made = runs.get(size) ?? newRun(size);
  runs.set(size, made);
  return made;
}
const runs = new Map<number, readonly SimulatedCell[]>();

function newRun(size: number): readonly SimulatedCell[] {
  accepted ??= acceptedAfterOneRun(cellsOfSize(repeated), 'certify', randomFrom(1));
  const known = accepted;
  return cellsOfSize(size).map((cell, index) => ({
    ...cell,
    expected: known[index % repeated]?.expected ?? cell.expected,
  }));
}
let accepted: readonly SimulatedCell[] | null = null;

const known = { kind: 'pass', threshold: null, trials: wellKnown } as const;

/** A cell that was accepted as passing and has another rate now. */
export type Changed = Pick<SimulatedCell, 'rate' | 'trials'>;

export interface Search {
  /** Cells of the run, the changed ones among them: absent: 720. */
  readonly size?: number;
  readonly attempts?: number;
}

/**
 * How often, when these cells of a run change the same night, at least one of them alarms within so many nights. The
 * baseline was accepted from one `certify` run, in which they passed as often as it takes.
 */
export function foundWithin(
  nights: number,
  profile: Profile,
  changed: readonly Changed[],
  seed: number,
  { size = 720, attempts = 1000 }: Search = {},
): number {
  const random = randomFrom(seed);
  const others = acceptedOf(size);
  const found = () => {
    // They stand one after the other, as the cells of a model do.
    const first = Math.floor(random() * (size - changed.length + 1));
    const cells = others.map((cell, index): SimulatedCell => {
      const change = changed[index - first];
      return change === undefined ? cell : { ...cell, ...change, expected: known };
    });
    const keys = new Set(cells.slice(first, first + changed.length).map(({ key }) => key));
    let before: NightBefore = quietNight;
    for (let index = 0; index < nights; index++) {
      const night: Night = simulateNight(cells, { profile, random, before });
      if (night.alarms.some((key) => keys.has(key))) return true;
      before = night;
    }
    return false;
  };
  return Array.from({ length: attempts }, found).filter(Boolean).length / attempts;
}
