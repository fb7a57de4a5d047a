import type { Profile } from '../src/plan/ticket.js';
import { randomFrom } from './random.js';
import { cellsOfSize, quietNight, simulateNight, type Night, type NightBefore } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

/** A cell that was accepted as passing and has another rate now. */
export type Changed = Pick<SimulatedCell, 'rate' | 'trials'>;

export interface Search {
  /** Cells of the run, the changed ones among them: absent: 720. */
  readonly size?: number;
  readonly attempts?: number;
}

/** How often, when these cells of a run change the same night, at least one of them alarms within so many nights. */
export function foundWithin(
  nights: number,
  profile: Profile,
  changed: readonly Changed[],
  seed: number,
  { size = 720, attempts = 1000 }: Search = {},
): number {
  const random = randomFrom(seed);
  const others = cellsOfSize(size);
  const found = () => {
    // They stand one after the other, as the cells of a model do.
    const first = Math.floor(random() * (size - changed.length + 1));
    const cells = others.map((cell, index): SimulatedCell => {
      const change = changed[index - first];
      return change === undefined ? cell : { ...cell, ...change };
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
