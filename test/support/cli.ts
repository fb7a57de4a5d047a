import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import { anIo } from './io.js';

export { writeFiles } from './write-files.js';

/** The result of a command line. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliPlace {
  readonly cwd: string;
  /** Environment variables; of those of the test run, only the path is passed on. */
  readonly env?: Readonly<Record<string, string>>;
}

const project = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { readonly version: string };
/** Of the built program. */
export const builtFolder = process.env['CHATSPEC_DIST'] ?? join(project, 'dist');
const built = join(builtFolder, 'cli', 'main.js');

/** Runs a command line within this process, which saves the time to start another. */
export async function chatspec(args: readonly string[], { cwd, env = {} }: CliPlace): Promise<CliResult> {
  const output = { stdout: '', stderr: '' };
  const io = anIo({
    out: (text) => void (output.stdout += text),
    err: (text) => void (output.stderr += text),
    env,
    cwd,
    exitNow: (code) => {
      throw new Error(`exit ${code}`);
    },
  });
  const code = await runCli(args, io);
  return { code, ...output };
}

/** A process of the built program. */
export interface CliProcess {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Its output so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** `code` is null when it was ended by a signal. */
  readonly done: Promise<CliResult & { readonly signal: NodeJS.Signals | null }>;
}

/** Starts the built program (`npm run build`) in a process of its own, which ends with the test at the latest. */
export function startChatspec(args: readonly string[], { cwd, env = {} }: CliPlace): CliProcess {
  if (!existsSync(built)) throw new Error(`${built} is missing: run "npm run build" first`);
  const child = spawn(process.execPath, [built, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    output: () => ({ ...output }),
    done: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, ...output }));
    }),
  };
}

/** Runs the built program to its end. */
export function builtChatspec(args: readonly string[], place: CliPlace): Promise<CliResult> {
  return startChatspec(args, place).done;
}

/**
 * The text without the parts that differ between runs: folders, times, ports, ids of runs and exchanges, and the number
 * of progress lines.
 */
export function normalised(text: string, folder: string): string {
  return (
    text
      .replace(/\bwhole [\d.]+ m?s.*?(?=; \d+ \\?-|$)/gm, 'whole <times>')
      .replaceAll(folder, '<folder>')
      .replaceAll(project, '<chatspec>/')
      .replaceAll(version, '<version>')
      .replace(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, '<time>')
      .replace(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '<time>')
      .replaceAll(today(), '<today>')
      .replace(/<today>,(\s+)\d\d:\d\d UTC/g, '<today>,$1<time> UTC')
      .replace(/\b\d\d [A-Z][a-z]{2},(\s+)\d\d:\d\d(\s+)UTC/g, '<day>,$1<time>$2UTC')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
      .replace(/"(plan|config|suites|schemas|digest)": "[0-9a-f]{64}"/g, '"$1": "<digest>"')
      .replace(/\be\d{6}\b/g, '<exchange>')
      .replace(/(?<![\w-])[0-9a-f]{16}(?![\w-])/g, '<run>')
      .replace(/("?created"?: )\d+/g, '$1<time>')
      .replace(/(chatspec: [\d,]+\/[\d,]+ checks, [^\n]*\n)+/g, 'chatspec: <progress>\n')
      // Whether there is time for a line of progress before another line depends on the machine; the last is always
      // there.
      .replace(/chatspec: <progress>\n(?=[^]*chatspec: <progress>\n)/g, '')
  );
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** A session as it looks on a terminal: command, output, exit code. */
export function transcript(command: string, { code, stdout, stderr }: CliResult, folder: string): string {
  const part = (title: string, text: string): string => (text === '' ? '' : `--- ${title}\n${text.trimEnd()}\n`);
  const output = normalised(`${part('stdout', stdout)}${part('stderr', stderr)}`, folder);
  return `$ chatspec ${command}\n${output}--- exit ${String(code)}\n`;
}
