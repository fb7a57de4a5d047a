import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../support/after-file.js';

/** The built program (`npm run build`), as a user starts it. Nothing in this folder knows its inside. */
const dist = process.env['CHATSPEC_DIST'] ?? fileURLToPath(new URL('../../dist', import.meta.url));
const program = join(dist, 'cli', 'main.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with the files of a user, in which commands run. */
export interface Project {
  readonly folder: string;
  /** Runs `chatspec` with these arguments: words, or one line without quotes. */
  readonly chatspec: (
    args: string | readonly string[],
    env?: Readonly<Record<string, string>>,
    input?: string,
  ) => Promise<Ended>;
  /** Starts the built program; without `stdin`, it has no standard input. */
  readonly start: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    stdin?: 'ignore' | 'pipe',
  ) => ChildProcess;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  readonly json: <T>(path: string) => Promise<T>;
}

export async function project(files: Readonly<Record<string, string>>): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-contract-'));
  const children: ChildProcess[] = [];
  afterFile(() => {
    for (const child of children) child.kill('SIGKILL');
    return rm(folder, { recursive: true, force: true });
  });
  const start: Project['start'] = (args, env = {}, stdin = 'ignore') => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: [stdin, 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  };
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const write: Project['write'] = async (more) => {
    for (const [path, text] of Object.entries(more)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  await write(files);
  return {
    folder,
    start,
    write,
    read,
    json: async <T>(path: string) => JSON.parse(await read(path)) as T,
    chatspec: (args, env, input) => {
      const child = start(
        typeof args === 'string' ? args.split(' ') : args,
        env,
        input === undefined ? 'ignore' : 'pipe',
      );
      child.stdin?.end(input);
      return ended(child);
    },
  };
}

/** Output and exit code of a process, once it has ended. */
export function ended(child: ChildProcess): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (output.stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

/** Starts `chatspec simulate` with profiles of one's own, and gives the line that it prints. */
export async function simulate(
  { start, write }: Project,
  profiles: string,
): Promise<{ readonly base_url: string; readonly models: readonly string[]; readonly stop: () => Promise<Ended> }> {
  await write({ 'profiles.yaml': profiles });
  const child = start(['simulate', '--port', '0', '--profiles', 'profiles.yaml']);
  const done = ended(child);
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (more: string) => {
      text += more;
      if (text.includes('\n')) resolve(text);
    });
    void done.then(({ stderr }) => reject(new Error(`simulate ended: ${stderr}`)));
  });
  const said = JSON.parse(line) as { base_url: string; models: string[] };
  return {
    ...said,
    stop: () => {
      child.kill('SIGTERM');
      return done;
    },
  };
}
