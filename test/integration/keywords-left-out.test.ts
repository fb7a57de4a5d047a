import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** Whoever reads that the document of many keywords is enforced must not believe that all keywords were asked. */

const sentence =
  'The schema keywords allOf, anyOf, oneOf, pattern and properties are not asked here; --tags weekly asks them.';
const flat = (text: string): string => text.replaceAll('\\', '').replace(/\s+/g, ' ');

let cwd: string;
const ask = (line: string) => chatspec(line.split(' '), { cwd });

beforeAll(async () => {
  cwd = await lastingFolder();
  await writeFiles(cwd, { 'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\n' });
  await ask('run --tags nightly --out r');
});

test('list and every report of a night say which keywords it leaves out, and what asks them', async () => {
  expect(flat((await ask('list --tags nightly')).stdout)).toContain(sentence);
  expect(await readFile(join(cwd, 'r', 'index.html'), 'utf8')).toContain(
    'allOf, anyOf, oneOf, pattern, and properties',
  );
  const listed = JSON.parse((await ask('list --tags nightly --json')).stdout) as Record<string, unknown>;
  const { run } = JSON.parse(await readFile(join(cwd, 'r', 'report.json'), 'utf8')) as { run: Record<string, unknown> };
  for (const { keywords_left_out: left } of [listed, run])
    expect(left).toEqual({ keywords: ['allOf', 'anyOf', 'oneOf', 'pattern', 'properties'], tag: 'weekly' });
});

test.each(['weekly', 'smoke'])('a plan of --tags %s leaves out none of which it shows others', async (tags) => {
  expect(flat((await ask(`list --tags ${tags}`)).stdout)).not.toContain('schema keyword');
});
