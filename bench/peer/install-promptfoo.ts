import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Promptfoo {
  readonly version: string;
  readonly main: string;
  /** The executable that runs it, and its version. */
  readonly node: string;
  readonly nodeVersion: string;
}

/** The first version of Node that promptfoo takes. */
const [least, leastMinor] = [22, 22] as const;

/**
 * Installs promptfoo from npm into a folder, with a Node that it takes where this one is too old. Runs no scripts of
 * packages: some of them download browsers.
 */
export function installPromptfoo(folder: string): Promptfoo {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > least || (major === least && minor >= leastMinor);
  const nodePackage = `node-${process.platform}-${process.arch}`;
  // By its tag: of a bare name, npm takes an older version that suits the Node that npm runs with.
  const packages = ['promptfoo@latest', ...(isNewEnough ? [] : [`${nodePackage}@${least}`])];
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const installed = (name: string): string => join(folder, 'node_modules', name);
  const node = isNewEnough ? process.execPath : join(installed(nodePackage), 'bin', 'node');
  if (!existsSync(node)) throw new Error(`${nodePackage} of npm holds no bin/node`);
  const { version, bin } = JSON.parse(readFileSync(join(installed('promptfoo'), 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly bin: { readonly promptfoo: string };
  };
  const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  return { version, main: join(installed('promptfoo'), bin.promptfoo), node, nodeVersion };
}

/** Nothing but the checks: no telemetry, no look for updates, no sharing; its files stand in the folder. */
export const quiet = (folder: string): Record<string, string> => ({
  CI: '1',
  OPENAI_API_KEY: 'sk-peer-bench-is-no-real-key',
  PROMPTFOO_CONFIG_DIR: join(folder, 'promptfoo'),
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  PROMPTFOO_DISABLE_SHARING: '1',
});
