// Nights of cells with known pass rates, each trial the flip of a coin: what nights without a change say, and when a
// change is found. `--times N` plays N times as many nights, `--seed N` others.
import { parseArgs } from 'node:util';
import {
  falls,
  foundWithin,
  mixedCells,
  mixedRates,
  modelFails,
  onceAndTwice,
  soundCells,
  turns,
  unchangedNights,
  type Changing,
} from './nights/nights.js';
import { printTable } from './print-table.js';

const { values: asked } = parseArgs({
  ...{ strict: false, allowPositionals: true },
  options: { times: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
const times = Number(asked.times);
const seed = Number(asked.seed);

/** A night of 720 cells takes as long as twelve of 60. */
const sizes = [
  { count: 60, baselines: 100 * times, attempts: 100 * times },
  { count: 720, baselines: 8 * times, attempts: 20 * times },
];
const kinds = { sound: soundCells, mixed: mixedCells } as const;
const profiles = ['standard', 'certify'] as const;
const percent = (share: number, digits = 0) => (Number.isNaN(share) ? '' : `${(100 * share).toFixed(digits)} %`);

const unchanged = sizes.flatMap(({ count, baselines }) =>
  Object.entries(kinds).flatMap(([kind, cellsOf]) =>
    profiles.map((accepted) => {
      const options = { cells: cellsOf(count), accepted, baselines, nights: 30, seed };
      const [calm, bad] = [unchangedNights(options), unchangedNights({ ...options, spoilt: 0.3 })];
      const first = calm.alarmsByNight.slice(0, 3).reduce((sum, nights) => sum + nights, 0);
      return [
        ...[`${count} ${kind}`, accepted, calm.nights.toLocaleString('en')],
        ...[`${calm.withAlarm}`, `${first}`, `${bad.withAlarm}`],
        ...[(calm.unsettled / calm.nights).toFixed(2), (calm.requests / calm.nights / count).toFixed(2)],
      ];
    }),
  ),
);
printTable(
  [
    ...['cells', 'accepted', 'nights without a change', 'with an alarm', 'of the first three'],
    ...['with a bad hour in one of ten', 'in doubt a night', 'requests a cell'],
  ],
  unchanged,
);

const changes: readonly (readonly [string, Changing, ('sound' | 'mixed')?])[] = [
  ['one dies, known from 10 trials', falls(0, [1])],
  ...mixedRates
    .filter((rate) => rate > 0)
    .map((rate) => [`one that passed at ${rate} dies`, turns(rate, 0, 'pass'), 'mixed'] as const),
  ...[0, 0.4].map((rate) => [`one that passed at ${rate} always passes`, turns(rate, 1, 'entry'), 'mixed'] as const),
  ['one falls to 0.6, known from 10 trials', falls(0.6, [2])],
  ['one falls to 0.6, known from 40 trials', falls(0.6, [2], 40)],
  ['15 fall to 0.6, known from 10 trials', falls(0.6, onceAndTwice(15))],
  ['60 fall to 0.8, known from 10 trials', falls(0.8, onceAndTwice(60))],
  ['a model fails in one of five', modelFails(0.2)],
  ['a model fails in one of ten', modelFails(0.1)],
];
const found = sizes.flatMap(({ count, attempts }) =>
  changes.flatMap(([name, change, only]) =>
    profiles.map((accepted) => {
      const cells = kinds[only ?? 'sound'](count);
      const shares = foundWithin({ cells, accepted, change, within: 4, attempts, seed, isRepeated: count > 60 });
      return [name, `${count} ${only ?? 'sound'}`, accepted, ...shares.map((share) => percent(share))];
    }),
  ),
);
printTable(['what changes', 'among', 'accepted', 'the same night', 'within two', 'three', 'four'], found);
