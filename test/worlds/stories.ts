import { parseArgs } from 'node:util';
import { generateWorld } from './composed/generate.js';
import { worldSuites } from './composed/run-world.js';
import { nightsOf } from './composed/score/nights.js';
import { mistakeLine } from './composed/score/score.js';
import { scoreTable, type SeedScores } from './composed/score-table.js';

const { values: given } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1' },
    /** The first seed. */
    from: { type: 'string', default: '1000' },
    /** Each is asked twice in each night: as it is, and with a change. */
    models: { type: 'string', default: '4' },
    /** Prints so many mistakes of each subject and seed. */
    show: { type: 'string', default: '0' },
    /** Patterns of cells; default: all. */
    only: { type: 'string', multiple: true, default: [] },
    /** Accepted run; may be repeated. */
    accepted: { type: 'string', multiple: true, default: ['standard', 'certify'] },
  },
});

const suites = await worldSuites();
const first = Number(given.from);
const all: SeedScores[] = [];
for (let seed = first; seed < first + Number(given.seeds); seed += 1) {
  const start = performance.now();
  const models = generateWorld(seed, Number(given.models));
  const accepted = given.accepted.map((profile) => (profile === 'certify' ? 'certify' : 'standard'));
  const scores = await nightsOf(models, suites, { first: seed * models.length, accepted, only: given.only });
  all.push({ seed, scores });
  process.stderr.write(`seed ${seed}: ${((performance.now() - start) / 1000).toFixed(0)} s\n`);
  for (const { subject, examples } of scores)
    for (const mistake of examples.slice(0, Number(given.show)))
      process.stdout.write(`${subject}, seed ${seed}: ${mistakeLine(mistake)}\n`);
}
process.stdout.write(`${scoreTable(all)}\n`);
