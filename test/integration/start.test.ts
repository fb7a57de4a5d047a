import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';

const main = resolve('dist/cli/main.js');

/** The packages that a command has loaded when it ends. */
async function loaded(args: readonly string[], folder: string, script = main): Promise<readonly string[]> {
  const names = (await loadedFiles(args, folder, script)).matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}

async function loadedFiles(args: readonly string[], folder: string, script: string): Promise<string> {
  const list = join(folder, 'loaded.txt');
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, Object.keys(require.cache).join('\\n')))`,
  );
  await promisify(execFile)(process.execPath, ['--require', hook, script, ...args], { cwd: folder });
  return readFileSync(list, 'utf8');
}

const config = 'targets:\n  demo:\n    base_url: simulator\n    models: [sim-reference]\n';

test('the version and the help load no package but the parser of the command line', async () => {
  const folder = await tempFolder();
  writeFileSync(join(folder, 'chatspec.yaml'), config);
  for (const args of [['--version'], ['--help']]) {
    expect((await loaded(args, folder)).filter((name) => !/^commander$/.test(name))).toEqual([]);
  }
});

test('init loads nothing that reads or judges answers', async () => {
  const packages = await loaded(['init'], await tempFolder());
  for (const name of ['ajv-formats', 'canonicalize', 'yaml']) expect(packages).not.toContain(name);
});

/** The built files that an entry loads when it is imported, and what else it imports. */
function graphOf(entry: string): { readonly files: ReadonlySet<string>; readonly foreign: ReadonlySet<string> } {
  const [files, foreign] = [new Set([resolve('dist', entry)]), new Set<string>()];
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^'"]*["']([^'"]+)["'];$/gm)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name));
      else foreign.add(name);
    }
  }
  return { files, foreign };
}

test('no entry loads the command line, or what only another entry needs', () => {
  for (const entry of ['index.js', 'simulator/index.js', 'vitest/index.js']) {
    const { files, foreign } = graphOf(entry);
    expect([...files]).not.toContain(main);
    expect([...foreign]).not.toContain('commander');
  }
  expect([...graphOf('index.js').foreign]).not.toContain('vitest');
});

test('in the package, too, the judge needs no module of Node, and the capability map next to nothing', () => {
  const { files, foreign } = graphOf('judge/index.js');
  expect(files.size).toBeGreaterThan(1);
  expect([...foreign].sort()).toEqual([
    ...['@cfworker/json-schema', '@noble/hashes/sha2.js', '@noble/hashes/utils.js', 'canonicalize'],
    'eventsource-parser',
  ]);
  const map = graphOf('capabilities/index.js');
  expect([...map.foreign]).toEqual([]);
  expect([...map.files].map((file) => readFileSync(file, 'utf8').length).reduce((a, b) => a + b)).toBeLessThan(10_000);
});
