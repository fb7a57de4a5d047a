import { probabilityOfAtLeast } from '../src/stats/binomial.js';
import { fixedSize, operatingCharacteristic } from '../src/stats/operating-characteristic.js';
import { defaultTest } from '../src/stats/sequential-test.js';
import { wilson } from '../src/stats/wilson.js';
import { printTable } from './print-table.js';

const { max: most } = defaultTest;
const rates = [1, 0.99, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1, 0];
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

process.stdout.write(`A test of fixed size with the same errors takes ${fixedSize(defaultTest)} trials.\n\n`);
printTable(
  [
    'true pass rate',
    'trials, on average',
    'stops as reliable',
    'stops as broken',
    `open after ${most}`,
    'no failure seen',
  ],
  rates.map((rate) => {
    const { meanTrials, reliable, broken, undecided } = operatingCharacteristic(defaultTest, rate, most);
    const clean = rate ** 10;
    return [
      rate.toFixed(2),
      meanTrials.toFixed(1),
      percent(reliable),
      percent(broken),
      percent(undecided),
      percent(clean),
    ];
  }),
);
printTable(
  ['true failure rate', '1 trial', '10 trials', '30 trials', '60 trials'],
  [0.01, 0.02, 0.05, 0.1, 0.3].map((failing) => [
    `1 in ${Math.round(1 / failing)}`,
    ...[1, 10, 30, 60].map((trials) => percent(probabilityOfAtLeast(trials, trials, 1 - failing))),
  ]),
);
printTable(
  ['passed', 'of', 'true rate, 95 % interval'],
  [
    [1, 1],
    [3, 3],
    [10, 10],
    [30, 30],
    [9, 10],
    [14, 20],
    [0, 2],
    [0, 10],
  ].map(([passed = 0, total = 0]) => [`${passed}`, `${total}`, wilson(passed, total).map(percent).join(' to ')]),
);
