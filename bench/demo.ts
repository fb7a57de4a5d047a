// How long `npm start` takes after `npm ci`: the build, and the run against the embedded service. `--write` puts the table
// into docs/performance.md.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measuredOn, median } from './measured.js';
import { markdownTable, printTable } from './print-table.js';
import { timedProcess } from './timed-process.js';
import { track } from './tracked-ratios.js';
import { writeTable } from './write-table.js';

const rounds = 5;
/** Seconds. */
const goals = { both: 8, run: 2.5 };
const main = resolve('dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'chatspec-bench-demo-'));
// Reports of the repository stay as they are.
for (const file of ['chatspec.yaml', 'baseline.yaml']) copyFileSync(file, join(folder, file));

const times: { readonly node: number; readonly build: number; readonly run: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  times.push({
    node: timedProcess(process.execPath, ['-e', '0'], folder),
    build: timedProcess('bash', ['scripts/build.sh'], process.cwd()),
    run: timedProcess(process.execPath, [main, 'run', '--tags', 'nightly'], folder),
  });
}
rmSync(folder, { recursive: true });

const seconds = (values: readonly number[]): string => `${(median(values) / 1000).toFixed(2)} s`;
const rows = [
  { part: 'build', goal: '', of: times.map(({ build }) => build) },
  { part: 'run', goal: `${goals.run} s`, of: times.map(({ run }) => run) },
  { part: 'both', goal: `${goals.both} s`, of: times.map(({ build, run }) => build + run) },
].map(({ part, goal, of }) => {
  // Within each round, since other work on the machine slows both.
  const ratio = median(of.map((time, round) => time / (times[round]?.node ?? Number.NaN)));
  if (part !== 'both') track(`demo/${part}, times node`, ratio, 'lower is better');
  return [part, seconds(of), goal, ratio.toFixed(0)];
});
const head = ['`npm start`', 'takes', 'goal', 'times node'];
printTable(head, rows);
const machine = measuredOn(rounds);
console.log(machine);
if (process.argv.includes('--write')) {
  writeTable('docs/performance.md', 'demo', `${markdownTable(head, rows)}\n\n${machine}`);
}
