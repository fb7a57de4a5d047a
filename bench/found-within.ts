import type { Profile } from '../src/plan/ticket.js';
import { randomFrom } from './random.js';
import { quietNight, simulateNight, type Night, type NightBefore } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

const attempts = 1000;
/** Of the run that the cells belong to: they decide how strong the evidence must be. */
const plannedCells = 720;

/** A cell that was accepted as passing and has another rate now. */
export type Changed = Pick<SimulatedCell, 'rate' | 'trials'>;

/** How often, when these cells change the same night, at least one of them alarms within so many nights. */
export function foundWithin(nights: number, profile: Profile, changed: readonly Changed[], seed: number): number {
  const random = randomFrom(seed);
  const cells = changed.map((cell, index): SimulatedCell => ({
    key: `cell-${index}`,
    expected: { kind: 'pass', threshold: null },
    ...cell,
  }));
  const found = () => {
    let before: NightBefore = quietNight;
    for (let index = 0; index < nights; index++) {
      const night: Night = simulateNight(cells, { profile, random, plannedCells, before });
      if (night.alarms.length > 0) return true;
      before = night;
    }
    return false;
  };
  return Array.from({ length: attempts }, found).filter(Boolean).length / attempts;
}
