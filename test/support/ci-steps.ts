import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A step of a workflow or a composite action. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = new URL('../../', import.meta.url);

export async function workflowIn(path: string): Promise<Workflow> {
  return parse(await readFile(new URL(path, root), 'utf8')) as Workflow;
}

export interface Shell {
  readonly cwd: string;
  /** Beside PATH and HOME. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ShellResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the lines of a step as GitHub does: `bash -e`, and with `pipefail` where `bash` is named. */
export function runLines(lines: string, { cwd, env }: Shell): Promise<ShellResult> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', lines], { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

/** The programs of a runner, in a folder for the front of PATH: `gh` and `npm` only write down what they are told. */
export async function fakePrograms(folder: string, openIssue = ''): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const calls = join(folder, 'gh-calls');
  const programs: Readonly<Record<string, string>> = {
    gh: `echo "gh $*" >> '${calls}'
case "$*" in *--input*) cat >> '${calls}'; echo >> '${calls}';; esac
if [ "$1 $2" = "issue list" ]; then echo '${openIssue}'; fi
case "$*" in *--paginate*) echo '${openIssue}';; esac`,
    npm: 'exit 0',
    chatspec: `exec node '${new URL('dist/cli/main.js', root).pathname}' "$@"`,
    npx: `shift; shift; exec node '${new URL('dist/cli/main.js', root).pathname}' "$@"`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/usr/bin/env bash\nset -e\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return bin;
}

/** Replaces \`\${{ NAME }}\` by what the expression is worth; throws for one that nobody gave. */
export function withValues(
  env: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
        const value = values[expression];
        if (value === undefined) throw new Error(`no value for ${expression}`);
        return value;
      }),
    ]),
  );
}
