import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measuredProcess, servedBy, type Taken } from '../measured-process.js';

/** What a run of the command line took, measured over its whole process. */
export interface Measured extends Taken {
  readonly requests: number;
  readonly cells: number;
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

/** Runs a project against the stub of bench/engine, which is a process of its own. Throws when the run breaks off. */
export async function measuredRun(project: Project): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-scale-'));
  const stub = fork(resolve('bench/engine/stub.mjs'));
  try {
    const [{ origin }] = (await once(stub, 'message')) as [{ readonly origin: string }];
    await writeProject(folder, origin, project);
    const args = ['run', ...project.options, '--out', 'run', '--fail-on', 'never'];
    const key = { SCALE_KEY: 'sk-scale-bench-is-no-real-key' };
    const run = await measuredProcess(process.execPath, [resolve('dist/cli/main.js'), ...args], folder, key);
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
