import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a run of the command line took, measured over its whole process. */
export interface Measured {
  readonly requests: number;
  readonly cells: number;
  /** Seconds of all threads. */
  readonly cpu: number;
  /** Seconds. */
  readonly wall: number;
  /** Most memory at any time, in megabytes. */
  readonly peak: number;
  /** Megabytes. */
  readonly journal: number;
}

/** What to run: suite files by name, the entries of `suites`, how many models, and the options of `run`. */
export interface Project {
  readonly files: Readonly<Record<string, unknown>>;
  readonly suites: readonly string[];
  readonly models: number;
  readonly options: readonly string[];
}

const concurrency = 50;
/** Preloaded; writes down what the process used. */
const usage = pathToFileURL(resolve('bench/engine/usage.mjs')).href;

/** Runs a project against the stub of bench/engine, which is a process of its own. Throws when the run breaks off. */
export async function measuredRun(project: Project): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-scale-'));
  const stub = fork(resolve('bench/engine/stub.mjs'));
  try {
    const [{ origin }] = (await once(stub, 'message')) as [{ readonly origin: string }];
    await writeProject(folder, origin, project);
    const run = await usedBy(folder, ['run', ...project.options, '--out', 'run', '--fail-on', 'never']);
    const report = JSON.parse(await readFile(join(folder, 'run', 'report.json'), 'utf8')) as {
      readonly run: { readonly requests: number; readonly complete: boolean };
      readonly cells: readonly unknown[];
    };
    if (!report.run.complete) throw new Error('the run is not complete');
    const served = await servedBy(stub);
    if (served !== report.run.requests)
      throw new Error(`${served} requests were served, ${report.run.requests} reported`);
    const { size } = await stat(join(folder, 'run', 'journal.jsonl'));
    return { ...run, requests: served, cells: report.cells.length, journal: size / 1e6 };
  } finally {
    if (stub.connected) stub.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeProject(folder: string, origin: string, { files, suites, models }: Project): Promise<void> {
  const ids = Array.from({ length: models }, (_, index) => `scale-${index}`);
  const target = { base_url: `${origin}/v1`, api_key_env: 'SCALE_KEY', limits: { concurrency }, models: ids };
  const config = { targets: { stub: target }, suites, max_unmeasured: 1 };
  for (const [name, content] of Object.entries({ ...files, 'chatspec.yaml': config })) {
    await writeFile(join(folder, name), JSON.stringify(content));
  }
}

async function usedBy(folder: string, args: readonly string[]): Promise<Pick<Measured, 'cpu' | 'wall' | 'peak'>> {
  const file = join(folder, 'usage.json');
  const begun = performance.now();
  const child = spawn(process.execPath, ['--import', usage, resolve('dist/cli/main.js'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // No other variables of the environment: a proxy, or options for Node, would distort the measurement.
    env: { PATH: process.env['PATH'], SCALE_KEY: 'sk-scale-bench-is-no-real-key', USAGE_FILE: file },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`chatspec ${args.join(' ')} ended with ${code}:\n${stderr}`);
  const used = JSON.parse(await readFile(file, 'utf8')) as NodeJS.ResourceUsage;
  return {
    cpu: (used.userCPUTime + used.systemCPUTime) / 1e6,
    wall: (performance.now() - begun) / 1000,
    peak: used.maxRSS / 1024,
  };
}

async function servedBy(stub: ChildProcess): Promise<number> {
  stub.send('requests');
  const [{ requests }] = (await once(stub, 'message')) as [{ readonly requests: number }];
  return requests;
}
