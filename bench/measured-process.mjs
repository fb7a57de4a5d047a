import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built command line. */
export const chatspec = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/**
 * Runs a script of Node to its end: seconds by the clock, seconds of CPU of all threads, and peak memory in megabytes.
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, allowed?: readonly number[] }} [options] `allowed`: exit codes
 *   that are no failure
 */
export async function measuredProcess(args, { cwd, env = {}, allowed = [0] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'chatspec-usage-'));
  const file = join(folder, 'usage.json');
  try {
    const begun = performance.now();
    const child = spawn(process.execPath, ['--import', new URL('usage.mjs', import.meta.url).href, ...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      // No other variables of the environment: a proxy, or options for Node, would distort the measurement.
      env: { PATH: process.env.PATH, ...env, USAGE_FILE: file },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    const [code, signal] = await once(child, 'close');
    const wall = (performance.now() - begun) / 1000;
    if (!allowed.includes(code)) throw new Error(`${args.join(' ')} ended with ${code ?? signal}:\n${stderr}`);
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(file, 'utf8'));
    return { wall, cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2;
}
