import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';

const main = resolve('dist/cli/main.js');

/** The packages that a command has loaded when it ends. */
async function loaded(args: readonly string[], folder: string): Promise<readonly string[]> {
  const list = join(folder, 'loaded.txt');
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, Object.keys(require.cache).join('\\n')))`,
  );
  await promisify(execFile)(process.execPath, ['--require', hook, main, ...args], { cwd: folder });
  const names = readFileSync(list, 'utf8').matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}

const config = 'targets:\n  demo:\n    base_url: simulator\n    models: [sim-reference]\n';

test('the version and the help load no package but the parser of the command line', async () => {
  const folder = await tempFolder();
  writeFileSync(join(folder, 'chatspec.yaml'), config);
  for (const args of [['--version'], ['--help']]) {
    expect((await loaded(args, folder)).filter((name) => !/^(commander|picocolors)$/.test(name))).toEqual([]);
  }
});

test('validate neither parses the templates nor compiles the schemas of the built-in suites, which the build has checked, and loads nothing that sends requests', async () => {
  const folder = await tempFolder();
  writeFileSync(join(folder, 'chatspec.yaml'), config);
  const packages = await loaded(['validate'], folder);
  expect(packages).toContain('yaml');
  // Ajv itself loads fast-uri; what the build compiled needs only small parts of Ajv.
  for (const name of ['handlebars', 'undici', 'fast-uri']) expect(packages).not.toContain(name);
});
