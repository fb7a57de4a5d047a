// How long a run takes over the least that its limits allow, in simulated time, so that the figures are the same on every
// machine. `--world TEXT` plays only the worlds with it in their names, `--from N` takes five other seeds.
import { parseArgs } from 'node:util';
import { brokenLimits, lowerBound } from './makespan/bounds.js';
import { runWorld } from './makespan/run-world.js';
import { worlds } from './makespan/worlds.js';
import { printTable } from './print-table.js';

const { values: asked } = parseArgs({
  ...{ strict: false, allowPositionals: true },
  options: { world: { type: 'string', default: '' }, from: { type: 'string', default: '1' } },
});
const seeds = Array.from({ length: 5 }, (_, index) => Number(asked.from) + index);

async function rowOf(index: number): Promise<string[]> {
  const runs: { ratio: number; requests: number; seconds: number }[] = [];
  for (const seed of seeds) {
    const world = worlds(seed)[index]!;
    const run = await runWorld(world);
    const broken = brokenLimits(world, run);
    if (broken.length > 0) throw new Error(`"${world.name}" exceeds limits: ${broken.join('; ')}`);
    const ratio = run.makespan / lowerBound(world);
    runs.push({ ratio, requests: run.sent.length, seconds: run.makespan / 1000 });
  }
  const [{ requests, seconds }] = runs as [(typeof runs)[number]];
  const ratios = runs.map(({ ratio }) => ratio).sort((a, b) => a - b);
  const figures = [ratios[ratios.length >> 1]!, ratios.at(-1)!].map((ratio) => ratio.toFixed(2));
  return [worlds(1)[index]!.name, requests.toLocaleString('en'), `${Math.round(seconds)} s`, ...figures];
}

const rows: string[][] = [];
for (const [index, { name }] of worlds(1).entries()) {
  if (name.includes(String(asked.world))) rows.push(await rowOf(index));
}
printTable(['world', 'requests', 'time', 'times the least, median of five seeds', 'worst'], rows);
