import { writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { startSimulator } from '../../src/simulator/index.js';
import { fakePrograms, runLines, type ShellResult, type Step, withValues } from './ci-steps.js';
import { tempFolder } from './temp-folder.js';

/** The steps of the workflows and of the action, run as they stand on the embedded service, with `gh` as a recorder. */

export const project = fileURLToPath(new URL('../../', import.meta.url));

export type Values = Readonly<Record<string, string>>;

interface Runner {
  readonly cwd: string;
  /** Runs the step of this name, or of these lines, with the values of its expressions. */
  readonly step: (named: string, values?: Values, env?: Values) => Promise<ShellResult>;
  readonly outputs: () => Promise<Readonly<Record<string, string>>>;
  readonly summary: () => Promise<string>;
  readonly calls: () => Promise<string>;
  /** Whether `gh issue list` finds one. */
  readonly issue: (number: string) => Promise<void>;
}

export async function runnerOf(steps: readonly Step[], shared: Values = {}): Promise<Runner> {
  const cwd = await tempFolder();
  const home = await tempFolder();
  const [output, summary, calls] = ['output', 'summary', 'gh-calls'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const file of [output, summary, calls]) await writeFile(file, '');
  const bin = await fakePrograms(home);
  const basic = {
    ...{ PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home },
    ...{
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_REPOSITORY: 'acme/models',
      GITHUB_ACTION_PATH: project,
    },
  };
  return {
    cwd,
    step: (named, values = {}, env = {}) => {
      const step = steps.find(({ name, run }) => name === named || run === named || run?.startsWith(named));
      if (step?.run === undefined) throw new Error(`no step ${named}`);
      return runLines(step.run, { cwd, env: { ...basic, ...shared, ...env, ...withValues(step.env ?? {}, values) } });
    },
    outputs: async () =>
      Object.fromEntries(
        (await readFile(output, 'utf8'))
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s).slice(0, 2)),
      ) as Record<string, string>,
    summary: () => readFile(summary, 'utf8'),
    calls: () => readFile(calls, 'utf8'),
    issue: async (number) => {
      await fakePrograms(home, number);
    },
  };
}

export async function service(): Promise<string> {
  const served = await startSimulator();
  onTestFinished(() => served.close());
  return served.baseUrl;
}

export const secret = 'sk-ci-canary-8Kq2Vw7Xn4';
export const shardKey = 'a passphrase of four words';
export const keys = {
  'secrets.CHATSPEC_API_KEY': secret,
  'secrets.CHATSPEC_SHARD_KEY': shardKey,
  'github.token': 'ghs_x',
};
