// Nights of cells with known pass rates, each trial the flip of a coin: what nights without a change say, and when a
// change is found. `--times N` plays N times as many nights, `--seed N` others.
import { parseArgs } from 'node:util';
import { nightsUntilFound, unchangedNights, withinNights } from './nights/nights.js';
import { printTable } from './print-table.js';

const { values: asked } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { times: { type: 'string', default: '1' }, seed: { type: 'string', default: '0' } },
});
const times = Number(asked.times);
const seed = Number(asked.seed);
const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** A night of 720 cells takes as long as twelve of 60. */
const sizes = [
  { cells: 60, worlds: 60 * times },
  { cells: 720, worlds: 6 * times },
];
const worlds = [
  { kind: 'sound', accepted: 'standard', spoiled: 0 },
  { kind: 'sound', accepted: 'standard', spoiled: 0.3 },
  { kind: 'mixed', accepted: 'standard', spoiled: 0 },
  { kind: 'mixed', accepted: 'certify', spoiled: 0 },
] as const;

printTable(
  [
    'cells',
    'accepted by',
    'nights without a change',
    'red wrongly',
    'in the first week',
    'red for a cell that does not hold',
    'cells told unreliable',
    'wrongly',
    'requests a cell',
  ],
  sizes.flatMap(({ cells, worlds: count }) =>
    worlds.map(({ kind, accepted, spoiled }) => {
      const found = unchangedNights({ kind, cells, accepted, worlds: count, nights: 30, spoiled, seed });
      return [
        `${cells} ${kind}${spoiled > 0 ? ', 3 in 10 answers of each tenth night spoiled' : ''}`,
        accepted,
        found.nights.toLocaleString('en'),
        `${found.wrong}`,
        `${found.firstWeek}`,
        `${found.right}`,
        (found.unreliable / count).toFixed(1),
        `${found.unreliableWrongly}`,
        (found.requests / found.nights / cells).toFixed(2),
      ];
    }),
  ),
);

const changes = [
  { from: 1, to: 0, known: 1, nightsBefore: 0 },
  { from: 1, to: 0, known: 10, nightsBefore: 5 },
  { from: 0.98, to: 0.6, known: 1, nightsBefore: 20 },
  { from: 0.98, to: 0.6, known: 10, nightsBefore: 5 },
  { from: 0.98, to: 0.6, known: 40, nightsBefore: 5 },
  { from: 0.98, to: 0.8, known: 40, nightsBefore: 5 },
  { from: 0.98, to: 0.9, known: 40, nightsBefore: 5 },
  { from: 0.875, to: 0.5, known: 10, nightsBefore: 5 },
  { from: 0.875, to: 0.5, known: 40, nightsBefore: 20 },
  { from: 0.875, to: 0.7, known: 40, nightsBefore: 20 },
  { from: 0, to: 1, known: 2, nightsBefore: 5 },
] as const;

printTable(
  [
    'what changes',
    'accepted from',
    'of cells',
    ...withinNights.map((nights) => `within ${nights}`),
    'requests the first night',
  ],
  sizes.flatMap(({ cells }) =>
    changes.map((change) => {
      const { within, requests } = nightsUntilFound({ ...change, cells, attempts: 300 * times, seed });
      const { from, to, known, nightsBefore } = change;
      const trials = `${known} ${known === 1 ? 'trial' : 'trials'} and ${nightsBefore} nights`;
      return [`${from} to ${to}`, trials, `${cells}`, ...within.map(percent), requests.toFixed(1)];
    }),
  ),
);
