import { foundWithin } from './found-within.js';
import { mixedCells, unchangedWeeks } from './first-weeks.js';
import { printTable } from './print-table.js';
import { cellsOfSize } from './simulate-night.js';
import { unchangedNights } from './unchanged-nights.js';

/** Planned cells of a run, and how much of each is simulated: a night of 17,000 cells takes as long as 280 of 60. */
const sizes = [
  { size: 60, nights: 20_000, baselines: 600, attempts: 1000 },
  { size: 720, nights: 4000, baselines: 60, attempts: 300 },
  { size: 4440, nights: 800, baselines: 10, attempts: 60 },
  { size: 17_000, nights: 200, baselines: 3, attempts: 30 },
];
const percent = (share: number, digits = 0) => `${(100 * share).toFixed(digits)} %`;
const named = (size: number) => size.toLocaleString('en');

/** Four baselines each, since one that was accepted by luck would decide the figure. */
function alarms(size: number, nights: number, spoilt: number): string {
  let withAlarm = 0;
  for (const seed of [1, 2, 3, 4]) {
    const run = { nights: nights / 4, profile: 'standard', cells: cellsOfSize(size), seed, spoilt } as const;
    withAlarm += unchangedNights(run).withAlarm;
  }
  return percent(withAlarm / nights, 2);
}

printTable(
  [
    'unchanged nights with an alarm',
    'independent trials',
    '1 in 5 spoilt',
    '3 in 10 spoilt',
    'known from one `standard` run, the first 10 nights',
  ],
  sizes.map(({ size, nights, baselines }) => {
    const weeks = unchangedWeeks({ cells: mixedCells(size), baselines, nights: 10, seed: 1 });
    return [
      `${named(size)} cells`,
      ...[0, 0.2, 0.3].map((spoilt) => alarms(size, nights, spoilt)),
      percent(weeks.withAlarm / weeks.nights, 2),
    ];
  }),
);

const together = (count: number, rate: number) =>
  Array.from({ length: count }, (_, index) => ({ rate, trials: 1 + (index % 2) }));
const changes = [
  { name: '1 cell, asked once', changed: [{ rate: 0.6, trials: 1 }] },
  { name: '1 cell, asked twice', changed: [{ rate: 0.6, trials: 2 }] },
  { name: '1 cell, asked three times', changed: [{ rate: 0.6, trials: 3 }] },
  { name: '5 cells', changed: together(5, 0.6) },
  { name: '15 cells', changed: together(15, 0.6) },
  { name: '60 cells', changed: together(60, 0.6) },
  { name: '60 cells, 0.98 to 0.8', changed: together(60, 0.8) },
];
printTable(
  ['0.98 to 0.6, found within two nights', ...sizes.map(({ size }) => `of ${named(size)}`)],
  changes.map(({ name, changed }, index) => [
    name,
    ...sizes.map(({ size, attempts }) => percent(foundWithin(2, 'standard', changed, 60 + index, { size, attempts }))),
  ]),
);
