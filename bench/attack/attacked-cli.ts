import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** How a command line ended. */
export interface CliEnd {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Its highest resident memory in MB, sampled from Linux's /proc; 0 elsewhere. */
  readonly peakMb: number;
}

/** A command line in a process of its own. */
export interface CliRun {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly done: Promise<CliEnd>;
}

/** Starts `chatspec ARGS`, built beside this file, with nothing of this process's environment but the path. */
export function startCli(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): CliRun {
  const begun = performance.now();
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const memory = watchPeak(child.pid ?? 0);
  return {
    kill: (signal) => void child.kill(signal),
    done: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        resolve({ code, ...output, seconds: (performance.now() - begun) / 1000, peakMb: memory.stop() });
      });
    }),
  };
}

/** Runs `chatspec ARGS` to its end. */
export function attackedCli(args: readonly string[], place: Parameters<typeof startCli>[1]): Promise<CliEnd> {
  return startCli(args, place).done;
}

/** The kernel keeps the highest value itself, so the last sample before the end is nearly all of it. */
function watchPeak(pid: number): { readonly stop: () => number } {
  let peak = 0;
  const sample = (): void => {
    const found = /^VmHWM:\s*(\d+) kB/m.exec(readStatus(pid));
    if (found) peak = Math.max(peak, Number(found[1]) / 1024);
  };
  const timer = setInterval(sample, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
