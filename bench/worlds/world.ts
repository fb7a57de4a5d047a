import { parseArgs } from 'node:util';
import { generateWorld } from './composed/generate.js';
import { runNight, worldSuites } from './composed/run-world.js';
import { scorers } from './composed/score/scorers.js';
import { mistakeLine } from './composed/score/score.js';
import { printTable } from './print-table.js';

/**
 * A night of composed models compared with the truth: `--models N`, `--seed N`, `--profile certify`, `--show N`
 * mistakes.
 */
const { values: given } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1000' },
    models: { type: 'string', default: '60' },
    profile: { type: 'string', default: 'standard' },
    show: { type: 'string', default: '0' },
  },
});

const profile = given.profile === 'certify' ? 'certify' : 'standard';
const models = generateWorld(Number(given.seed), Number(given.models));
const night = await runNight(models, await worldSuites(), { profile });
const scores = scorers.map((scorer) => scorer(night));
for (const { subject, examples } of scores)
  for (const mistake of examples.slice(0, Number(given.show))) console.log(`${subject}: ${mistakeLine(mistake)}`);

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
printTable(
  ['subject', 'judged', 'wrong', 'right'],
  scores.map(({ subject, right, wrong }) => [subject, `${right + wrong}`, `${wrong}`, percent(right, right + wrong)]),
);
const figures = scores.flatMap((score) => Object.entries(score.figures ?? {}));
printTable(
  ['of these', 'found'],
  figures.map(([name, { count, of }]) => [name, percent(count, of)]),
);
