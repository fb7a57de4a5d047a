// How long commands take that ask nothing, beside a Node that does nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatspec, median } from './measured-process.mjs';

const rounds = 11;
const commands = ['--version', '--help', 'validate', 'list --tags nightly', 'list'];

const folder = mkdtempSync(join(tmpdir(), 'chatspec-bench-start-'));
const target = { base_url: 'simulator', models: ['sim-reference', 'sim-object-500', 'sim-budget'] };
const suites = ['builtin:core', 'builtin:extended'];
writeFileSync(join(folder, 'chatspec.yaml'), JSON.stringify({ targets: { demo: target }, suites }));

function milliseconds(args) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr.toString()}`);
  return performance.now() - begun;
}

// In turns, so that what else the machine does in the meantime meets all of them.
const empty = [];
const taken = new Map(commands.map((command) => [command, []]));
for (let round = 0; round < rounds; round += 1) {
  empty.push(milliseconds(['-e', '0']));
  for (const [command, times] of taken) times.push(milliseconds([chatspec, ...command.split(' ')]));
}
rmSync(folder, { recursive: true });

console.log(`  node -e 0: ${Math.round(median(empty))} ms`);
for (const [command, times] of taken)
  console.log(`  ${command}: ${Math.round(median(times))} ms, ${Math.round(median(times) - median(empty))} over Node`);
