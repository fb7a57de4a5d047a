import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { verbs } from '../../src/cli/verbs.js';
import { chatspec } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const created = ['chatspec.yaml', 'suites/first.yaml', '.github/workflows/chatspec.yml', '.gitignore'];

test('the starter files are valid, run on the embedded service, and give a result that can be accepted', async () => {
  const cwd = await tempFolder();
  const { code, stdout } = await chatspec(['init'], { cwd });
  expect(code).toBe(0);
  // Without --no, npx fetches whatever has the name where the package is not installed.
  expect(stdout.match(/npx.*/g)).toHaveLength(4);
  expect(stdout.match(/npx (?!--no ).*/g)).toBeNull();
  for (const file of created) expect(stdout).toContain(`created  ${file}\n`);
  expect(await chatspec(['validate'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid:/) as string,
  });
  const first = await chatspec(['run', '--tags', 'smoke', '--models', 'sim-reference'], { cwd });
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('pass') as string });
  expect((await chatspec(['baseline', 'accept', 'reports/latest'], { cwd })).code).toBe(0);
});

test('existing files are not overwritten', async () => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, 'chatspec.yaml'), 'mine');
  const { code, stdout } = await chatspec(['init', '--json'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ created: created.slice(1), kept: ['chatspec.yaml'] });
  expect(await readFile(join(cwd, 'chatspec.yaml'), 'utf8')).toBe('mine');
  const again = await chatspec(['init', '--json'], { cwd });
  expect(JSON.parse(again.stdout)).toEqual({ created: [], kept: created });
});

test('a config elsewhere gets its suite beside it, and the next steps name it', async () => {
  const cwd = await tempFolder();
  const { stdout } = await chatspec(['init', '--config', 'conf/chatspec.yaml'], { cwd });
  expect(stdout).toContain('created  conf/suites/first.yaml\n');
  expect(stdout).toContain('Add --config conf/chatspec.yaml to each command');
  expect((await chatspec(['validate', '--config', 'conf/chatspec.yaml'], { cwd })).code).toBe(0);
});

test('a folder with the name of a file is reported', async () => {
  const cwd = await tempFolder();
  await mkdir(join(cwd, 'chatspec.yaml'));
  const { code, stderr } = await chatspec(['init'], { cwd });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('it is a folder') as string });
});

test('a file with the name of a folder is reported', async () => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, 'suites'), 'a file');
  const { code, stderr } = await chatspec(['init'], { cwd });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('suites') as string });
});

test('the workflow calls only verbs that exist, and gives the key to a single step', async () => {
  const cwd = await tempFolder();
  await chatspec(['init'], { cwd });
  const text = await readFile(join(cwd, '.github/workflows/chatspec.yml'), 'utf8');
  const { jobs } = parse(text) as { jobs: { chatspec: { steps: { run?: string; env?: object }[] } } };
  const called = [...text.matchAll(/npx --no chatspec (\w+)/g)].map(([, verb]) => verb);
  const known = verbs.map(({ usage }) => usage.split(' ')[0]);
  expect(called).toEqual(['validate', 'run', 'report']);
  expect(known).toEqual(expect.arrayContaining(called));
  const withKey = jobs.chatspec.steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets'));
  expect(withKey).toHaveLength(1);
  expect(withKey[0]?.run).toContain('npx --no chatspec run --tags nightly ');
});
