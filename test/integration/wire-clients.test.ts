import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** What reports say of a quirk to those whose client libraries are known. */

const suite = `suite: part
title: Part
probes:
  streamed:
    title: Streamed
    capability: stream.chat
    request: { stream: true, messages: [{ role: user, content: Hello }] }
`;

async function reported(more: string, files: Readonly<Record<string, string>> = {}) {
  const cwd = await tempFolder();
  await writeFiles(cwd, {
    'part.yaml': suite,
    'chatspec.yaml': `targets: { t: { base_url: simulator, models: [sim-chunk-without-choices] } }\nsuites: [part.yaml]\n${more}`,
    ...files,
  });
  const { code } = await chatspec(['run', '--out', 'r', '--trials', '3', '--fail-on', 'never'], { cwd });
  expect(code).toBe(0);
  const { wire = [] } = JSON.parse(await readFile(join(cwd, 'r', 'report.json'), 'utf8')) as Report;
  const page = await readFile(join(cwd, 'r', 'report.md'), 'utf8');
  return { cwd, page, quirk: wire.find(({ quirk }) => quirk === 'choices_missing_in_chunk') };
}

test('names the clients of the config that break, and those that read it', async () => {
  const { cwd, quirk } = await reported('clients: [npm:openai, ai]\n');
  expect(quirk).toMatchObject({ breaks: ['openai 6.49: throws'], reads: ['ai 5.0'] });
  // The same from the journal.
  expect(await chatspec(['rejudge', 'r', '--out', 'again', '--fail-on', 'never'], { cwd })).toMatchObject({ code: 0 });
  const again = JSON.parse(await readFile(join(cwd, 'again', 'report.json'), 'utf8')) as Report;
  expect(again.wire).toContainEqual(quirk);
});

test('finds them in the package.json beside the config, in the version that it asks for', async () => {
  const manifest = JSON.stringify({ dependencies: { openai: '^4.2.0' } });
  expect((await reported('', { 'package.json': manifest })).quirk).toMatchObject({
    breaks: ['openai 4.104: throws'],
    reads: [],
  });
});

test('finds them in the files of a Python project, which settle what a name means', async () => {
  const files = { 'pyproject.toml': '[project]\ndependencies = ["openai>=3"]\n' };
  const pyproject = await reported('', files);
  expect(pyproject.quirk?.breaks.concat(pyproject.quirk.reads ?? [])).toEqual([
    expect.stringMatching(/^pypi:openai 3\.\d+/) as string,
  ]);
  expect((await reported('clients: [openai]\n', files)).quirk).toEqual(pyproject.quirk);
});

test('a name that two ecosystems have is asked back', async () => {
  const cwd = await tempFolder();
  const config = 'targets: { t: { base_url: simulator, models: [sim-reference] } }\nclients: [openai]\n';
  await writeFiles(cwd, { 'chatspec.yaml': config });
  const { code, stderr } = await chatspec(['validate'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/chatspec\.yaml:2:\d+[^]*write npm:openai or pypi:openai/);
  await writeFiles(cwd, { 'requirements.txt': 'openai==3.57.0\n' });
  expect((await chatspec(['validate'], { cwd })).code).toBe(0);
  await writeFiles(cwd, { 'chatspec.yaml': config.replace('[openai]', '[pypi:opnai]') });
  const typo = await chatspec(['validate'], { cwd });
  expect(typo.stderr).toContain('did you mean "pypi:openai"?');
  expect(typo.stderr).not.toContain('npm:');
});

test('an unknown client is an error with its place', async () => {
  const cwd = await tempFolder();
  const config = 'targets: { t: { base_url: simulator, models: [sim-reference] } }\nclients: [opnai]\n';
  await writeFiles(cwd, { 'chatspec.yaml': config });
  const { code, stderr } = await chatspec(['validate'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/chatspec\.yaml:2:\d+/);
  expect(stderr).toMatch(/did you mean "(?:npm:|pypi:)?openai"\?/);
});
