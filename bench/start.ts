// How long commands take that ask nothing, over a Node that does nothing. `--write` puts the table into docs/performance.md.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measuredOn, median } from './measured.js';
import { markdownTable, printTable } from './print-table.js';
import { timedProcess } from './timed-process.js';
import { track } from './tracked-ratios.js';
import { writeTable } from './write-table.js';

const main = resolve('dist/cli/main.js');
if (!existsSync(main)) throw new Error(`${main} is missing: run "npm run build" first`);

const folder = mkdtempSync(join(tmpdir(), 'chatspec-bench-start-'));
const target = { base_url: 'simulator', models: ['sim-reference', 'sim-object-500', 'sim-budget'] };
writeFileSync(
  join(folder, 'chatspec.yaml'),
  JSON.stringify({ targets: { demo: target }, suites: ['builtin:core', 'builtin:extended'] }),
);

/** Milliseconds, and the most that a command may take over `node -e 0`. */
const commands = [
  { name: '--version', goal: 40 },
  { name: '--help', goal: 60 },
  { name: 'init', goal: 80 },
  { name: 'validate', goal: 250 },
  { name: 'list --tags nightly', goal: 250 },
];
const nothing = ['-e', '0'];
const rounds = 11;

const timed = (args: readonly string[]): number => timedProcess(process.execPath, args, folder);
const argsOf = (name: string) => [main, ...name.split(' ')];

// In turns, so that what else the machine does in the meantime meets all of them.
const bare: number[] = [];
const taken = new Map<string, number[]>(commands.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  bare.push(timed(nothing));
  for (const { name } of commands) taken.get(name)?.push(timed(argsOf(name)));
}
rmSync(folder, { recursive: true });

const node = median(bare);
const head = ['command', `over \`node -e 0\` (${Math.round(node)} ms)`, 'goal', 'times node'];
const rows = commands.map(({ name, goal }) => {
  const times = taken.get(name) ?? [];
  // Within each round, since other work on the machine slows both.
  const ratio = median(times.map((time, round) => time / (bare[round] ?? Number.NaN)));
  track(`start/${name}, times node`, ratio, 'lower is better');
  return [`\`${name}\``, `+${Math.round(median(times) - node)} ms`, `+${goal} ms`, ratio.toFixed(1)];
});
printTable(head, rows);
const machine = measuredOn(rounds);
console.log(machine);
if (process.argv.includes('--write')) {
  writeTable('docs/performance.md', 'start', `${markdownTable(head, rows)}\n\n${machine}`);
}
