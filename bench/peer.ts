// The same checks with promptfoo, which is installed from npm into a temporary folder. `--write` puts the table into
// docs/performance.md.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cores, load, median } from './measured.js';
import { measuredProcess, servedBy, type Taken } from './measured-process.js';
import { installPromptfoo, quiet, type Promptfoo } from './peer/install-promptfoo.js';
import { checks, concurrency, writeChatspecProject, writePromptfooConfig } from './peer/same-checks.js';
import { markdownTable, printTable } from './print-table.js';
import { track } from './tracked-ratios.js';
import { writeTable } from './write-table.js';

const rounds = 5;
const main = resolve('dist/cli/main.js');
if (!existsSync(main)) throw new Error(`${main} is missing: run "npm run build" first`);
const own = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

const folder = mkdtempSync(join(tmpdir(), 'chatspec-bench-peer-'));
const stub = fork(resolve('bench/engine/stub.mjs'));
const measured: { readonly chatspec: Taken; readonly promptfoo: Taken }[] = [];
let peer: Promptfoo;
try {
  const [{ origin }] = (await once(stub, 'message')) as [{ readonly origin: string }];
  peer = installPromptfoo(folder);
  for (let round = 1; round <= rounds; round += 1) {
    const at = join(folder, String(round));
    mkdirSync(at);
    const chatspec = await ofChatspec(join(at, 'chatspec'), origin);
    const promptfoo = await ofPromptfoo(peer, join(at, 'promptfoo'), origin);
    measured.push({ chatspec, promptfoo });
    const told = [chatspec, promptfoo].map(
      ({ wall, cpu, peak }) => `${wall.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU, ${peak.toFixed(0)} MB`,
    );
    console.log(`round ${round}: chatspec ${told[0] ?? ''}; promptfoo ${told[1] ?? ''}; ${load()}`);
  }
} finally {
  stub.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

async function ofChatspec(at: string, origin: string): Promise<Taken> {
  writeChatspecProject(at, origin);
  const args = [main, 'run', '--trials', String(checks), '--out', 'run'];
  // The model gets one more request, which checks that it answers at all.
  const taken = await counted(stub, checks + 1, () =>
    measuredProcess(process.execPath, args, at, { PEER_KEY: 'sk-peer-bench-is-no-real-key' }),
  );
  const { cells } = JSON.parse(readFileSync(join(at, 'run', 'report.json'), 'utf8')) as {
    readonly cells: readonly { readonly verdict: string; readonly trials: { readonly total: number } }[];
  };
  if (cells.length !== 1 || cells[0]?.verdict !== 'pass' || cells[0].trials.total !== checks)
    throw new Error(`chatspec did not pass ${checks} trials of one cell`);
  return taken;
}

async function ofPromptfoo({ node, main: entry }: Promptfoo, at: string, origin: string): Promise<Taken> {
  writePromptfooConfig(at, origin);
  const asked = ['eval', '-c', 'promptfooconfig.json', '-j', String(concurrency), '-o', 'results.json'];
  const args = [entry, ...asked, '--no-cache', '--no-table', '--no-progress-bar', '--no-share'];
  const taken = await counted(stub, checks, () => measuredProcess(node, args, at, quiet(at)));
  const { results } = JSON.parse(readFileSync(join(at, 'results.json'), 'utf8')) as {
    readonly results: { readonly stats: { readonly successes: number } };
  };
  if (results.stats.successes !== checks)
    throw new Error(`promptfoo passed ${results.stats.successes} of ${checks} tests`);
  return taken;
}

/** Throws where another number of requests came. */
async function counted(service: ChildProcess, expected: number, work: () => Promise<Taken>): Promise<Taken> {
  const before = await servedBy(service);
  const taken = await work();
  const came = (await servedBy(service)) - before;
  if (came !== expected) throw new Error(`${came} requests came, not ${expected}`);
  return taken;
}

const middle = (side: 'chatspec' | 'promptfoo', figure: keyof Taken): number =>
  median(measured.map((round) => round[side][figure]));
const ratio = (of: keyof Taken): number =>
  median(measured.map(({ chatspec, promptfoo }) => promptfoo[of] / chatspec[of]));

const row = (name: string, side: 'chatspec' | 'promptfoo') => [
  name,
  `${Math.round(checks / middle(side, 'wall')).toLocaleString('en')}/s`,
  `${middle(side, 'wall').toFixed(1)} s`,
  `${middle(side, 'cpu').toFixed(1)} s`,
  `${middle(side, 'peak').toFixed(0)} MB`,
];
const head = [`${checks.toLocaleString('en')} checks`, 'rate', 'time', 'CPU', 'peak memory'];
const rows = [
  row(`chatspec ${own.version}, Node ${process.versions.node}`, 'chatspec'),
  row(`promptfoo ${peer.version}, Node ${peer.nodeVersion}`, 'promptfoo'),
  ['times (goal)', `${ratio('wall').toFixed(0)} (80)`, '', ratio('cpu').toFixed(1), `${ratio('peak').toFixed(1)} (5)`],
];
// Not the rate: by the clock, it is mostly a figure of what else the machine does.
track('peer/CPU, promptfoo to chatspec', ratio('cpu'), 'higher is better');
track('peer/memory, promptfoo to chatspec', ratio('peak'), 'higher is better');
printTable(head, rows);
const machine = `Median of ${rounds} rounds, ${cores()}, ${load()} at the end.`;
console.log(machine);
if (process.argv.includes('--write')) {
  writeTable('docs/performance.md', 'peer', `${markdownTable(head, rows)}\n\n${machine}`);
}
