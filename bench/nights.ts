import { acceptedAfterOneRun, ordinaryCells, simulateNight, type Night } from './simulate-night.js';
import { randomFrom } from './random.js';
import type { SimulatedCell } from './simulated-cell.js';
import { badHours } from './bad-hours.js';
import { printTable } from './print-table.js';

const nights = 1000;
const cells = ordinaryCells();

function unchanged(name: string, profile: 'standard' | 'certify', seed: number, spoilt: number): string[] {
  const random = randomFrom(seed);
  const accepted = acceptedAfterOneRun(cells, random);
  let [withAlarm, shown, requests] = [0, 0, 0];
  let shownBefore: ReadonlySet<string> = new Set();
  for (let index = 0; index < nights; index++) {
    const weather = spoilt > 0 ? badHours(random, cells.length, spoilt) : undefined;
    const night: Night = simulateNight(accepted, { profile, random, shownBefore, ...(weather && { weather }) });
    withAlarm += night.alarms.length > 0 ? 1 : 0;
    shown += night.unsettled.length;
    requests += night.requests;
    shownBefore = new Set(night.unsettled);
  }
  return [name, profile, `${withAlarm}`, `${shown}`, (requests / nights).toFixed(0)];
}

function foundWithin(
  limit: number,
  profile: 'standard' | 'certify',
  changed: Pick<SimulatedCell, 'rate' | 'trials'>,
  seed: number,
): number {
  const random = randomFrom(seed);
  let found = 0;
  for (let index = 0; index < nights; index++) {
    const cell: SimulatedCell = { key: 'the one', expected: { kind: 'pass', threshold: null }, ...changed };
    // The others matter only for how strong the evidence must be; they are simulated above.
    for (let night = 0; night < limit; night++)
      if (simulateNight([cell], { profile, random, plannedCells: cells.length }).alarms.length > 0) {
        found += 1;
        break;
      }
  }
  return found;
}

printTable(
  ['1,000 nights without change', 'profile', 'nights with an alarm', 'cells shown, no alarm', 'requests a night'],
  [
    unchanged('independent trials', 'standard', 1, 0),
    unchanged('independent trials', 'certify', 2, 0),
    unchanged('bad hours, 1 in 5 answers spoilt', 'standard', 3, 0.2),
    unchanged('bad hours, 1 in 5 answers spoilt', 'certify', 4, 0.2),
    unchanged('bad hours, 3 in 10 answers spoilt', 'standard', 5, 0.3),
    unchanged('bad hours, 3 in 10 answers spoilt', 'certify', 6, 0.3),
  ],
);

const percent = (found: number) => `${((100 * found) / nights).toFixed(1)} %`;
const changes = [
  { name: 'dead', rate: 0, trials: 1 },
  { name: '0.98 to 0.6, asked once', rate: 0.6, trials: 1 },
  { name: '0.98 to 0.6, asked twice', rate: 0.6, trials: 2 },
  { name: '0.98 to 0.6, asked three times', rate: 0.6, trials: 3 },
];
printTable(
  ['one cell changes', 'standard, same night', 'standard, within three nights', 'certify, same night'],
  changes.map(({ name, rate, trials }, index) => [
    name,
    percent(foundWithin(1, 'standard', { rate, trials }, 10 + index)),
    percent(foundWithin(3, 'standard', { rate, trials }, 20 + index)),
    percent(foundWithin(1, 'certify', { rate, trials }, 30 + index)),
  ]),
);
