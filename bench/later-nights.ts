import { readFileSync, writeFileSync } from 'node:fs';
import type { Profile } from '../src/plan/ticket.js';
import { mixedCells, unchangedWeeks } from './first-weeks.js';
import { foundLater } from './found-later.js';
import { alarmHead, fallers, foundHead, kinds, nameOf, sizes, withTableOf } from './later-tables.js';
import { markdownTable } from './print-table.js';
import { cellsOfSize } from './simulate-night.js';

const cellsOf = { ordinary: cellsOfSize, mixed: (size: number) => mixedCells(size) } as const;
const both = ['ordinary', 'mixed'] as const satisfies readonly (keyof typeof kinds)[];
const everyKind = both.flatMap((kind) => sizes.map((size) => ({ ...size, kind, name: nameOf(size.size, kind) })));

const share = (alarms: number, nights: number) =>
  alarms === 0 ? 'none' : `${alarms} (${((100 * alarms) / nights).toFixed(2)} %)`;

const alarmRows = everyKind.map(({ size, kind, name, baselines, length }) => {
  const sums = unchangedWeeks({ cells: cellsOf[kind](size), accepted: 'certify', baselines, nights: length, seed: 5 });
  progress(name);
  const first = sums.alarmsByNight.slice(0, 3).reduce((all, alarms) => all + alarms, 0);
  return [name, sums.nights.toLocaleString('en-US'), share(sums.withAlarm, sums.nights), share(first, 3 * baselines)];
});

const percent = (part: number) => `${(100 * part).toFixed(0)} %`;
const tenNights: readonly Profile[] = Array.from({ length: 10 }, () => 'standard');

const foundRows = (['single', 'together'] as const).flatMap((who) =>
  everyKind.map(({ size, kind, name, isRepeated, [who]: attempts }) => {
    const { name: fallen, changed } = fallers[who];
    const found = (between: readonly Profile[]) => {
      const [, two = 0, three = 0] = foundLater({
        ...{ cells: cellsOf[kind](size), changed, between, within: 3, attempts, seed: 5, isRepeated },
      });
      return `${percent(two)}, ${percent(three)}`;
    };
    const row = [name, fallen, found([]), found(['certify']), isRepeated ? '' : found(tenNights)];
    progress(`${name}: ${fallen}`);
    return row;
  }),
);

const tables = {
  'false-nights': markdownTable(alarmHead, alarmRows),
  'found-later': markdownTable(foundHead, foundRows),
} as const;
for (const table of Object.values(tables)) process.stdout.write(`${table}\n\n`);
if (process.argv.includes('--write')) {
  const page = 'docs/how-chatspec-decides.md';
  const text = readFileSync(page, 'utf8');
  const withAlarms = withTableOf(text, 'false-nights', tables['false-nights']);
  writeFileSync(page, withTableOf(withAlarms, 'found-later', tables['found-later']));
}

function progress(name: string): void {
  process.stderr.write(`${(process.cpuUsage().user / 1e6).toFixed(0)} s: ${name}\n`);
}
