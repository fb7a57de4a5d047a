import { parseArgs } from 'node:util';
import { generateWorld } from './composed/generate.js';
import { runNight, worldSuites } from './composed/run-world.js';
import { allScores, storyScores } from './composed/score/all-scores.js';
import { mistakeLine, type Score } from './composed/score/score.js';
import { scoreTable, type SeedScores } from './composed/score-table.js';

const { values: given } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1' },
    /** The first seed. */
    from: { type: 'string', default: '1000' },
    models: { type: 'string', default: '60' },
    profile: { type: 'string', default: 'standard' },
    /** Prints so many mistakes of each subject and seed. */
    show: { type: 'string', default: '0' },
    /** Only these subjects; may be repeated. */
    subject: { type: 'string', multiple: true },
    /** Leaves out what takes nights of its own. */
    quick: { type: 'boolean', default: false },
  },
});
const first = Number(given.from);

const suites = await worldSuites();
const all: SeedScores[] = [];
for (let seed = first; seed < first + Number(given.seeds); seed += 1) all.push(await scoresOf(seed));
process.stdout.write(`${scoreTable(all)}\n`);

async function scoresOf(seed: number): Promise<SeedScores> {
  const start = performance.now();
  const profile = given.profile === 'certify' ? 'certify' : 'standard';
  const night = await runNight(generateWorld(seed, Number(given.models)), suites, { profile });
  const scores = allScores.map((scorer) => scorer(night));
  if (!given.quick) for (const scorer of storyScores) scores.push(...(await scorer(night)));
  const shown = scores.filter(({ subject }) => given.subject?.includes(subject) ?? true);
  process.stderr.write(
    `seed ${seed}: ${night.report.cells.length} cells, ${night.exchanges.size} requests, ` +
      `${((performance.now() - start) / 1000).toFixed(0)} s\n`,
  );
  for (const score of shown) print(score, seed);
  return { seed, scores: shown };
}

function print({ subject, examples }: Score, seed: number): void {
  for (const mistake of examples.slice(0, Number(given.show)))
    process.stdout.write(`${subject}, seed ${seed}: ${mistakeLine(mistake)}\n`);
}
