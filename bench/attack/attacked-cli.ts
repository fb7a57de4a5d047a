import { type ChildProcess, spawn } from 'node:child_process';
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
  /** CPU seconds, which other programs on the machine do not change much; sampled likewise. */
  readonly cpuSeconds: number;
  /** Those of its main thread alone, on which everything waits for everything else. */
  readonly mainCpuSeconds: number;
}

/** A command line in a process of its own. */
export interface CliRun {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly done: Promise<CliEnd>;
}

/** Those that run. An attack that is given up leaves none behind. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

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
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const pid = child.pid ?? 0;
  const use = watchUse(pid);
  return {
    pid,
    kill: (signal) => void child.kill(signal),
    done: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        running.delete(child);
        resolve({ code, ...output, seconds: (performance.now() - begun) / 1000, ...use.stop() });
      });
    }),
  };
}

/** Runs `chatspec ARGS` to its end. */
export function attackedCli(args: readonly string[], place: Parameters<typeof startCli>[1]): Promise<CliEnd> {
  return startCli(args, place).done;
}

/** The kernel keeps both itself, so the last sample before the end is nearly all. */
function watchUse(pid: number): { readonly stop: () => Pick<CliEnd, 'peakMb' | 'cpuSeconds' | 'mainCpuSeconds'> } {
  let peakMb = 0;
  let cpuSeconds = 0;
  let mainCpuSeconds = 0;
  const sample = (): void => {
    const found = /^VmHWM:\s*(\d+) kB/m.exec(readOf(pid, 'status'));
    if (found) peakMb = Math.max(peakMb, Number(found[1]) / 1024);
    cpuSeconds = Math.max(cpuSeconds, cpuSecondsIn(readOf(pid, 'stat')));
    mainCpuSeconds = Math.max(mainCpuSeconds, cpuSecondsIn(readOf(pid, `task/${pid}/stat`)));
  };
  const timer = setInterval(sample, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return { peakMb, cpuSeconds, mainCpuSeconds };
    },
  };
}

/** Behind the name in brackets, fields 14 and 15 of proc(5), in hundredths of a second. */
function cpuSecondsIn(stat: string): number {
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

function readOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
