import { printTable } from './print-table.js';
import { ordinaryCells } from './simulate-night.js';
import { unchangedNights } from './unchanged-nights.js';

/** A thousand nights are few for an event of two in a thousand, so there are twenty thousand, with twenty baselines. */
const thousands = 20;

function alarmsPerThousand(models: number, spoilt: number): string {
  const cells = ordinaryCells(models);
  let alarmed = 0;
  for (let seed = 1; seed <= thousands; seed++)
    alarmed += unchangedNights({ nights: 1000, profile: 'standard', cells, seed: 1000 + seed, spoilt }).withAlarm;
  return (alarmed / thousands).toFixed(1);
}

const plans = [
  { models: 12, spoilt: 0 },
  { models: 12, spoilt: 0.2 },
  { models: 12, spoilt: 0.3 },
  { models: 12, spoilt: 0.5 },
  { models: 2, spoilt: 0.3 },
  { models: 1, spoilt: 0.3 },
];
printTable(
  ['models of 60 cells', 'answers spoilt in a bad hour', 'nights with an alarm, in 1,000'],
  plans.map(({ models, spoilt }) => [`${models}`, `${100 * spoilt} %`, alarmsPerThousand(models, spoilt)]),
);
