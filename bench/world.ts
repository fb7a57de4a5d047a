import { parseArgs } from 'node:util';
import { printTable } from './print-table.js';
import { generateWorld } from './world/generate.js';
import { runNight, worldSuites } from './world/run-world.js';
import { allScores } from './world/score/all-scores.js';
import { mistakeLine, type Score } from './world/score/score.js';

const { values: given } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1000' },
    models: { type: 'string', default: '60' },
    profile: { type: 'string', default: 'standard' },
    /** Shows so many mistakes of each subject and seed. */
    show: { type: 'string', default: '0' },
    subject: { type: 'string', multiple: true },
  },
});

const suites = await worldSuites();
const profile = given.profile === 'certify' ? 'certify' : 'standard';
const totals = new Map<string, Score[]>();
for (let seed = Number(given.from); seed < Number(given.from) + Number(given.seeds); seed += 1) {
  const start = performance.now();
  const night = await runNight(generateWorld(seed, Number(given.models)), suites, { profile });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  process.stderr.write(
    `seed ${seed}: ${night.report.cells.length} cells, ${night.exchanges.size} requests, ${seconds} s\n`,
  );
  for (const scorer of allScores) {
    const score = scorer(night);
    if (given.subject !== undefined && !given.subject.includes(score.subject)) continue;
    totals.set(score.subject, [...(totals.get(score.subject) ?? []), score]);
    for (const mistake of score.examples.slice(0, Number(given.show)))
      process.stdout.write(`${score.subject}, seed ${seed}: ${mistakeLine(mistake)}\n`);
  }
}

const share = (right: number, wrong: number) => `${((100 * right) / Math.max(1, right + wrong)).toFixed(2)} %`;
const sum = (scores: readonly Score[], of: 'right' | 'wrong') => scores.reduce((total, score) => total + score[of], 0);
printTable(
  ['subject', 'judged', 'wrong', 'right', 'worst seed'],
  [...totals].map(([subject, scores]) => {
    const [right, wrong] = [sum(scores, 'right'), sum(scores, 'wrong')];
    const worst = Math.max(...scores.map((score) => score.wrong));
    return [subject, String(right + wrong), String(wrong), share(right, wrong), `${worst} wrong`];
  }),
);
