// How long a run takes over the least that its limits allow. In simulated time, so that the figures are the same on every
// machine; `--real` runs one world by the clock on the wall. `--usage` prints where the time of a run goes, for the worlds
// whose names hold what `--world` names. `--from N` takes five other seeds, `--write` puts the table into docs/performance.md.
import { parseArgs } from 'node:util';
import { brokenLimits } from './makespan/broken-limits.js';
import { lowerBound } from './makespan/lower-bound.js';
import { runInRealTime, runWorld, type WorldRun } from './makespan/run-world.js';
import { printUsage } from './makespan/usage.js';
import type { World } from './makespan/world.js';
import { worlds } from './makespan/worlds.js';
import { markdownTable, printTable } from './print-table.js';
import { track } from './tracked-ratios.js';
import { writeTable } from './write-table.js';

const { values: asked } = parseArgs({
  strict: false,
  options: {
    real: { type: 'boolean' },
    usage: { type: 'boolean' },
    write: { type: 'boolean' },
    world: { type: 'string' },
    from: { type: 'string' },
  },
});
const part = String(asked.world ?? '');
const seeds = Array.from({ length: 5 }, (_, index) => Number(asked.from ?? 1) + index);

/** How many times the least the run took. */
function ratioOf(world: World, run: WorldRun): number {
  const broken = brokenLimits(world, run);
  if (broken.length > 0) throw new Error(`"${world.name}" exceeds limits: ${broken.join('; ')}`);
  return run.makespan / lowerBound(world);
}

async function rowOf(index: number): Promise<string[]> {
  const ratios: number[] = [];
  let last: { readonly world: World; readonly run: WorldRun } | null = null;
  for (const seed of seeds) {
    const world = worlds(seed)[index];
    if (world === undefined) throw new Error(`there is no world ${index}`);
    const run = await runWorld(world);
    ratios.push(ratioOf(world, run));
    if (asked.usage === true) printUsage(world, run);
    last = { world, run };
  }
  if (last === null) return [];
  const { world, run } = last;
  ratios.sort((a, b) => a - b);
  const [median = NaN, worst = NaN] = [ratios[ratios.length >> 1], ratios.at(-1)];
  track(`makespan/${world.name}, times the least`, median, 'lower is better');
  const figures = [median, worst].map((ratio) => ratio.toFixed(2));
  return [world.name, run.sent.length.toLocaleString('en'), `${Math.round(run.makespan / 1000)} s`, ...figures];
}

if (asked.real === true) {
  const [, world] = worlds(1);
  if (world === undefined) throw new Error('there are no worlds');
  const [simulated, byTheClock] = [await runWorld(world), await runInRealTime(world)];
  const of = (run: WorldRun) => [`${(run.makespan / 1000).toFixed(1)} s`, ratioOf(world, run).toFixed(3)];
  printTable(
    [world.name, 'time', 'times the least'],
    [
      ['simulated', ...of(simulated)],
      ['by the clock', ...of(byTheClock)],
    ],
  );
} else {
  const rows: string[][] = [];
  for (const [index, { name }] of worlds(1).entries()) if (name.includes(part)) rows.push(await rowOf(index));
  const head = ['world', 'requests', 'time', 'times the least, median', 'worst'];
  printTable(head, rows);
  const seen = `Median and worst of ${seeds.length} seeds, in simulated time (Node ${process.versions.node}).`;
  console.log(seen);
  if (asked.write === true && part === '' && asked.from === undefined) {
    writeTable('docs/performance.md', 'makespan', `${markdownTable(head, rows)}\n\n${seen}`);
  }
}
