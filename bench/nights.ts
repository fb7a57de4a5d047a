import { deadFound, mixedCells, mixedRates, unchangedWeeks } from './first-weeks.js';
import { foundWithin } from './found-within.js';
import { meanOverCells, timesAskedNightly } from './nightly-plan.js';
import { printTable } from './print-table.js';
import { ordinaryCells } from './simulate-night.js';
import { unchangedNights } from './unchanged-nights.js';

const nights = 1000;
const cells = ordinaryCells();

function unchanged(name: string, profile: 'standard' | 'certify', seed: number, spoilt: number): string[] {
  const { withAlarm, unsettled, requests } = unchangedNights({ nights, profile, cells, seed, spoilt });
  return [name, profile, `${withAlarm}`, `${unsettled}`, (requests / nights).toFixed(0)];
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

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** A baseline from one run: after `standard`, most cells are known from a single trial, after `certify` from ten. */
function firstWeeks(
  count: number,
  baselines: number,
  length: number,
  seed: number,
  accepted: 'standard' | 'certify' = 'standard',
): string[] {
  const sums = unchangedWeeks({ cells: mixedCells(count), accepted, baselines, nights: length, seed });
  return [
    `${count} cells, ${baselines} baselines, the first ${length} nights of each`,
    `${sums.withAlarm} of ${sums.nights.toLocaleString('en')} (${((100 * sums.withAlarm) / sums.nights).toFixed(2)} %)`,
    (sums.unsettled / sums.nights).toFixed(1),
    (sums.requests / sums.nights).toFixed(0),
  ];
}
printTable(
  [
    'nothing changed since one `standard` run was accepted',
    'nights with an alarm',
    'shown a night',
    'requests a night',
  ],
  [firstWeeks(60, 600, 6, 3), firstWeeks(60, 150, 30, 3), firstWeeks(720, 100, 6, 4), firstWeeks(720, 20, 30, 4)],
);
printTable(
  ['nothing changed since one `certify` run was accepted', 'nights with an alarm', 'shown a night', 'requests a night'],
  [firstWeeks(60, 500, 3, 5, 'certify'), firstWeeks(720, 60, 3, 6, 'certify')],
);
const dying = mixedRates.filter((rate) => rate > 0);
printTable(
  ['one cell dies (60 cells)', ...dying.map((rate) => `it passed at ${rate}`)],
  [0, 6, 30].map((length) => [
    `after ${length} nights`,
    ...dying.map((rate) =>
      percent(deadFound({ cells: mixedCells(60), baselines: length > 6 ? 50 : 200, nights: length, seed: 7 }, rate)),
    ),
  ]),
);

/** The three columns, for a cell that is asked `trials` times a night. */
const columns = (rate: number, seed: number) => [
  (trials: number) => foundWithin(1, 'standard', [{ rate, trials }], 10 + seed),
  (trials: number) => foundWithin(3, 'standard', [{ rate, trials }], 20 + seed),
  (trials: number) => foundWithin(1, 'certify', [{ rate, trials }], 30 + seed),
];
const changes = [
  { name: 'dead', rate: 0, trials: 1 },
  { name: '0.98 to 0.6, asked once', rate: 0.6, trials: 1 },
  { name: '0.98 to 0.6, asked twice', rate: 0.6, trials: 2 },
  { name: '0.98 to 0.6, asked three times', rate: 0.6, trials: 3 },
];
const asked = await timesAskedNightly();
printTable(
  ['one cell changes', 'standard, same night', 'standard, within three nights', 'certify, same night'],
  [
    ...changes.map(({ name, rate, trials }, index) => [
      name,
      ...columns(rate, index).map((shareFor) => percent(shareFor(trials))),
    ]),
    [
      '0.98 to 0.6, a cell of the built-in nightly plan (each equally often)',
      ...columns(0.6, changes.length).map((shareFor) => percent(meanOverCells(asked, shareFor))),
    ],
  ],
);

/** Cells of one model that change the same night, half of them asked twice. */
const together = (count: number, rate: number) =>
  Array.from({ length: count }, (_, index) => ({ rate, trials: 1 + (index % 2) }));
const several = [
  { name: '5 cells, 0.98 to 0.6', changed: together(5, 0.6) },
  { name: '15 cells, 0.98 to 0.6', changed: together(15, 0.6) },
  { name: '60 cells, 0.98 to 0.6', changed: together(60, 0.6) },
  { name: '60 cells, 0.98 to 0.8', changed: together(60, 0.8) },
];
printTable(
  ['several cells change together (standard)', 'same night', 'within two nights', 'within three nights'],
  several.map(({ name, changed }, index) => [
    name,
    ...[1, 2, 3].map((limit) => percent(foundWithin(limit, 'standard', changed, 40 + 10 * index + limit))),
  ]),
);
