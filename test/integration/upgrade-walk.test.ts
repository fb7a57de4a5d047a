import { copyFile, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { clientFixture } from '../support/client-fixture.js';
import { codeBlocks, section } from '../support/documents.js';
import { shellWords } from '../support/shell-words.js';
import { tempFolder } from '../support/temp-folder.js';

/** The upgrade of a library in docs/upgrades.md, line by line, with both versions of the real library. */

const page = section('docs/upgrades.md', '## A new version of a client library');
const blocks = codeBlocks('docs/upgrades.md').filter(({ text }) => page.includes(text));
const lines = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.trim().split('\n') : []));
const config = 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\n';

test('the upgrade of a library runs as it is written, from one version of the library to the next', async () => {
  const [old, fresh] = await Promise.all((['openai-4', 'openai-6'] as const).map(clientFixture));
  const cwd = await tempFolder();
  const env = { PATH: process.env['PATH'] ?? '' };
  const install = async (fixture = '') => {
    await rm(join(cwd, 'node_modules'), { force: true });
    await symlink(join(fixture, 'node_modules'), join(cwd, 'node_modules'));
    await copyFile(join(fixture, 'calls.mjs'), join(cwd, 'calls.mjs'));
  };
  await mkdir(join(cwd, 'suites'));
  await writeFiles(cwd, {
    'package.json': '{ "type": "module" }',
    'chatspec.yaml': `${config}suites: ['builtin:core']\n`,
  });
  await install(old);
  const codes: Record<string, number | null> = {};
  for (const line of lines) {
    if (line.startsWith('npm install openai@6')) {
      await install(fresh);
      continue;
    }
    const [command = '', file] = line.split(' > ');
    const { code, stdout } = await chatspec(shellWords(command).slice(1), { cwd, env });
    codes[command] = code;
    if (file !== undefined)
      await writeFiles(cwd, { [file]: stdout, 'chatspec.yaml': `${config}suites: ['builtin:core', '${file}']\n` });
  }
  expect(lines).toHaveLength(7);
  expect(Object.entries(codes).map(([line, code]) => [line.split(' ').slice(1, 3).join(' '), code])).toEqual([
    ['shapes record', 0],
    ['run --tags', expect.any(Number)],
    ['shapes check', 1],
    ['shapes to-suite', 0],
    ['run --suites', 0],
  ]);
});
