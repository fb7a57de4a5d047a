import { readFileSync, writeFileSync } from 'node:fs';
import type { Profile } from '../src/plan/ticket.js';
import { badHours } from './bad-hours.js';
import { mixedCells } from './first-weeks.js';
import { withTableOf } from './later-tables.js';
import { markdownTable } from './print-table.js';
import { randomFrom } from './random.js';
import { acceptedAfterOneRun, ordinaryCells, quietNight, simulateNight, type NightBefore } from './simulate-night.js';
import type { SimulatedCell } from './simulated-cell.js';

/**
 * A fault that spoils a share of all answers of one model: on which night several of its cells raise an alarm, and how
 * often the failures that cells share raise one where nothing changed.
 */
interface Kind {
  readonly name: string;
  readonly cells: (models: number) => readonly SimulatedCell[];
}

/** Like the built-in nightly plan: a few cells are asked twice, one thirty times. */
const reliable = (models: number): readonly SimulatedCell[] =>
  ordinaryCells(models, 57).map((cell, index) => ({
    ...cell,
    rate: 1,
    trials: index % 57 === 20 ? 30 : index % 8 === 0 ? 2 : 1,
  }));

const kinds: readonly Kind[] = [
  { name: 'never fails', cells: reliable },
  { name: 'fails in 0 to 5 %', cells: (models) => ordinaryCells(models) },
  { name: 'one in six cells each at 1, 0.97, 0.9, 0.7, 0.4, 0', cells: (models) => mixedCells(60 * models) },
];
const sizes = [1, 8];
const profiles = ['standard', 'certify'] as const;
const nights = [1, 2, 3, 8];

/** Which answers of the first model are spoilt. */
interface Reach {
  readonly name: string;
  readonly isSpoilt: (cell: SimulatedCell, index: number) => boolean;
  readonly shares: readonly number[];
  /** Alarms that tell it: of all cells, one says nothing of its model. */
  readonly fewestCells: number;
}
const isFirst = ({ key }: SimulatedCell): boolean => key.endsWith('/model-0');
const everyCell: Reach = { name: 'all', isSpoilt: isFirst, shares: [0.05, 0.1, 0.2, 1 / 3], fewestCells: 3 };
/** Such as those of one form: a bad hour might explain them as well. */
const fourCells: Reach = {
  name: 'four in a row',
  isSpoilt: (cell, index) => isFirst(cell) && index >= 10 && index < 14,
  shares: [1 / 3, 0.5, 0.7],
  fewestCells: 1,
};

/** The baseline is accepted, one night passes, and from the next one on a share of the first model's answers is spoilt. */
function nightsToAlarm(
  { cells }: Kind,
  { isSpoilt, fewestCells }: Reach,
  models: number,
  accepted: Profile,
  share: number,
  seed: number,
): number {
  const random = randomFrom(seed);
  const known = acceptedAfterOneRun(cells(models), accepted, random);
  const keys = new Set(known.filter(isSpoilt).map(({ key }) => key));
  const spoilt = ({ key }: SimulatedCell) => (keys.has(key) ? share : 0);
  let before: NightBefore = simulateNight(known, { profile: 'standard', random, before: quietNight });
  for (let night = 1; night <= Math.max(...nights); night++) {
    const done = simulateNight(known, { profile: 'standard', random, before, spoilt });
    if (done.alarms.filter((key) => keys.has(key)).length >= fewestCells) return night;
    before = done;
  }
  return Infinity;
}

const attemptsOf = (models: number) => (models === 1 ? 100 : 20);
function foundOf(kind: Kind, at: number, reach: Reach, models: number): readonly (readonly string[])[] {
  return profiles.flatMap((accepted) =>
    reach.shares.map((share) => {
      const attempts = attemptsOf(models);
      const found = Array.from({ length: attempts }, (_, index) =>
        nightsToAlarm(kind, reach, models, accepted, share, 1000 * at + index),
      );
      const within = (night: number) =>
        `${Math.round((100 * found.filter((one) => one <= night).length) / attempts)} %`;
      const percent = `${Math.round(100 * share)} %`;
      const row = [kind.name, `${models}`, `\`${accepted}\``, reach.name, percent, ...nights.map(within)];
      progress(row.join(', '));
      return row;
    }),
  );
}

const foundRows = kinds.flatMap((kind, at) => [
  ...sizes.flatMap((models) => foundOf(kind, at, everyCell, models)),
  ...(kind.cells === reliable ? foundOf(kind, at, fourCells, 1) : []),
]);

/** Twenty nights of each baseline in which nothing changes. */
function alarmsOf({ cells }: Kind, models: number, accepted: Profile, spoilt: number, seed: number) {
  const random = randomFrom(seed);
  const sums = { nights: 0, shared: 0, others: 0 };
  for (let baseline = 0; baseline < (models === 1 ? 100 : 15); baseline++) {
    const known = acceptedAfterOneRun(cells(models), accepted, random);
    let before: NightBefore = quietNight;
    for (let night = 0; night < 20; night++) {
      const rateInHour = spoilt > 0 ? badHours(random, known.length, spoilt) : undefined;
      const done = simulateNight(known, { profile: 'standard', random, before, ...(rateInHour && { rateInHour }) });
      const isShared = [...(done.shared?.values() ?? [])].flat().some(({ alarm }) => alarm);
      sums.nights += 1;
      sums.shared += isShared ? 1 : 0;
      sums.others += !isShared && done.alarms.length > 0 ? 1 : 0;
      before = done;
    }
  }
  return sums;
}

const quietRows = kinds.flatMap((kind, at) =>
  sizes.flatMap((models) =>
    profiles.map((accepted) => {
      const [calm, bad] = [0, 0.3].map((spoilt) => alarmsOf(kind, models, accepted, spoilt, 77 + at));
      const row = [kind.name, `${models}`, `\`${accepted}\``, calm!.nights.toLocaleString('en-US')];
      const counts = [calm!, bad!].flatMap(({ shared, others }) => [`${shared}`, `${others}`]);
      progress([...row, ...counts].join(', '));
      return [...row, ...counts];
    }),
  ),
);

const tables = {
  'shared-failures': markdownTable(
    [
      'a model',
      'models',
      'baseline',
      'cells',
      'share of answers',
      'the first night',
      ...nights.slice(1).map((night) => `within ${night}`),
    ],
    foundRows,
  ),
  'shared-false': markdownTable(
    [
      'models that',
      'models',
      'baseline',
      'nights',
      'shared',
      'of single cells',
      'bad hours: shared',
      'of single cells',
    ],
    quietRows,
  ),
} as const;
for (const table of Object.values(tables)) process.stdout.write(`${table}\n\n`);
if (process.argv.includes('--write')) {
  const page = 'docs/how-chatspec-decides.md';
  const text = readFileSync(page, 'utf8');
  const withFound = withTableOf(text, 'shared-failures', tables['shared-failures']);
  writeFileSync(page, withTableOf(withFound, 'shared-false', tables['shared-false']));
}

function progress(row: string): void {
  process.stderr.write(`${(process.cpuUsage().user / 1e6).toFixed(0)} s: ${row}\n`);
}
