import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a process took, from its start to its end. */
export interface Taken {
  /** Seconds by the clock, and of CPU. */
  readonly wall: number;
  readonly cpu: number;
  /** Most memory, in megabytes. */
  readonly peak: number;
}

/** Preloaded; the file is JavaScript, so that any Node reads it. */
const usage = pathToFileURL(resolve('bench/engine/usage.mjs')).href;

/**
 * Runs a script of Node to its end. Throws where it ends with another code than 0.
 * @param node the executable
 * @param env its only variables beside PATH: a proxy, or options for Node, would distort the measurement
 */
export async function measuredProcess(
  node: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Taken> {
  const file = join(cwd, 'usage.json');
  const begun = performance.now();
  const child = spawn(node, ['--import', usage, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: cwd, USAGE_FILE: file, ...env },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  const wall = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}:\n${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.ResourceUsage;
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 };
}

/** How many requests came so far to the stub of bench/engine. */
export async function servedBy(stub: ChildProcess): Promise<number> {
  stub.send('requests');
  const [{ requests }] = (await once(stub, 'message')) as [{ readonly requests: number }];
  return requests;
}
