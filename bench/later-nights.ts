import { mixedCells } from './first-weeks.js';
import { foundLater } from './found-later.js';
import { printTable } from './print-table.js';
import { cellsOfSize } from './simulate-night.js';

/** Half of several cells are asked twice a night, and a single one is. */
const fallen = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ rate: 0.6, trials: count === 1 ? 2 : 1 + (index % 2) }));
const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
const waits = [0, 3, 10, 30];

const rows = [
  { name: '60, failure rates 0 to 5 %', cells: cellsOfSize(60), attempts: 100 },
  { name: '720, failure rates 0 to 5 %', cells: cellsOfSize(720), attempts: 20 },
  { name: '60, one in six passes seven times in ten', cells: mixedCells(60), attempts: 100 },
  { name: '720, one in six passes seven times in ten', cells: mixedCells(720), attempts: 12 },
].flatMap(({ name, cells, attempts }) =>
  [1, 5, 15].map((count) => [
    name,
    `${count}`,
    ...waits.map((after) => {
      const found = foundLater({ cells, changed: fallen(count), after, within: 3, attempts, seed: 5 });
      return `${percent(found[1] ?? 0)}, ${percent(found[2] ?? 0)}`;
    }),
  ]),
);
printTable(
  [
    'cells',
    'fall from 0.98 to 0.6',
    ...waits.map((after) => `found within two and three nights, after ${after} nights`),
  ],
  rows,
);
