import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';

const main = resolve('dist/cli/main.js');

/** The packages that a command has loaded when it ends. */
async function loaded(args: readonly string[], folder: string, script = main): Promise<readonly string[]> {
  const names = (await loadedFiles(args, folder, script)).matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}

/** ES modules are seen by a loader's hook, and what they require by the cache of CommonJS. */
async function loadedFiles(args: readonly string[], folder: string, script: string): Promise<string> {
  const list = join(folder, 'loaded.txt');
  const loader = join(folder, 'loader.mjs');
  const hook = join(folder, 'hook.mjs');
  const into = JSON.stringify(list);
  writeFileSync(list, '');
  writeFileSync(
    loader,
    `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(${into}, url + '\\n');
  return next(url, context);
}`,
  );
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
register(${JSON.stringify(pathToFileURL(loader).href)});
const { cache } = createRequire(import.meta.url);
process.on('exit', () => appendFileSync(${into}, Object.keys(cache).join('\\n')));`,
  );
  await promisify(execFile)(process.execPath, ['--import', hook, script, ...args], { cwd: folder });
  return readFileSync(list, 'utf8');
}

const config = 'targets:\n  demo:\n    base_url: simulator\n    models: [sim-reference]\n';

test('the version and the help load no package but the parser of the command line and the writer of JSON', async () => {
  const folder = await tempFolder();
  writeFileSync(join(folder, 'chatspec.yaml'), config);
  for (const args of [['--version'], ['--help']]) {
    expect((await loaded(args, folder)).filter((name) => !/^(commander|lossless-json)$/.test(name))).toEqual([]);
  }
});

test('a command that reads a config is seen to load what reads YAML', async () => {
  const folder = await tempFolder();
  writeFileSync(join(folder, 'chatspec.yaml'), config);
  expect(await loaded(['list', '--tags', 'smoke'], folder)).toEqual(expect.arrayContaining(['ajv', 'yaml']));
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
    'lossless-json',
  ]);
  const map = graphOf('capabilities/index.js');
  expect([...map.foreign]).toEqual([]);
  expect([...map.files].map((file) => readFileSync(file, 'utf8').length).reduce((a, b) => a + b)).toBeLessThan(10_000);
});
