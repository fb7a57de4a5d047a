import { lstat, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chatspec, type CliResult, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const suite = `suite: shop
probes:
  answer:
    title: An answer as JSON
    capability: json_schema
    request:
      messages: [{ role: user, content: 'Answer as JSON: which city is the capital of France?' }]
      response_format: { type: json_schema, json_schema: { name: city, strict: true, schema: { type: object, properties: { city: { type: string } }, required: [city], additionalProperties: false } } }
  other:
    title: Another answer as JSON
    capability: json_schema
    request:
      messages: [{ role: user, content: 'Answer as JSON: which city is the capital of Italy?' }]
      response_format: { type: json_schema, json_schema: { name: city, strict: true, schema: { type: object, properties: { city: { type: string } }, required: [city], additionalProperties: false } } }
`;
const config = `targets:
  demo: { base_url: simulator, models: [sim-unsteady] }
suites: [shop.yaml]
baseline: accepted.yaml
`;

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, { 'chatspec.yaml': config, 'shop.yaml': suite });
});

const run = (...args: readonly string[]): Promise<CliResult> => chatspec(args, { cwd: folder });
const baseline = async () => parse(await readFile(join(folder, 'accepted.yaml'), 'utf8')) as Record<string, unknown[]>;

describe('baseline accept', () => {
  const numbers = (text: string, list: string) =>
    (new RegExp(`^${list}: (\\d+) added, (\\d+) changed, (\\d+) removed, (\\d+) kept$`, 'm').exec(text) ?? [])
      .slice(1)
      .map(Number);

  test('prints how much it wrote; --dry-run prints each entry and writes nothing', async () => {
    await run('run', '--out', 'r', '--fail-on', 'never', '--trials', '6');
    const dry = await run('baseline', 'accept', 'r', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing was written') as string });
    await expect(baseline()).rejects.toThrow('ENOENT');
    const data = JSON.parse((await run('baseline', 'accept', 'r', '--dry-run', '--json')).stdout) as object;
    expect(data).toMatchObject({ file: 'accepted.yaml', run: 'r', dry_run: true, written: false, left: [] });

    const done = await run('baseline', 'accept', 'r');
    const text = await readFile(join(folder, 'accepted.yaml'), 'utf8');
    const added = dry.stdout.split('\n').flatMap((line) => (line.startsWith('+ ') ? `  - ${line.slice(2)}` : []));
    const written = text.split('\n').filter((line) => line.startsWith('  - '));
    expect(added.sort()).toEqual(written.sort());
    const { expect: entries, covers } = await baseline();
    expect(numbers(done.stdout, 'expect')).toEqual([entries!.length, 0, 0, 0]);
    expect(numbers(done.stdout, 'covers')).toEqual([covers!.length, 0, 0, 0]);
    for (const { key: name } of entries as { key: string }[]) expect(dry.stdout).toContain(name);
    expect(done.stdout.split('\n').length).toBeLessThan(14);

    const again = await run('baseline', 'accept', 'r');
    expect(again.stdout).toContain('accepted.yaml: accepted r; nothing changed\n');
    expect(numbers(again.stdout, 'expect')).toEqual([0, 0, 0, entries!.length]);
    expect((await run('baseline', 'accept', 'r', '--dry-run')).stdout).toBe('');
    expect(await readFile(join(folder, 'accepted.yaml'), 'utf8')).toBe(text);
  });
});

test('a baseline that is a link stays one: the file it leads to is written', async () => {
  await writeFiles(folder, { 'shared.yaml': 'format: chatspec-baseline/1\ncovers: []\nexpect: []\n' });
  await symlink('shared.yaml', join(folder, 'accepted.yaml'));
  await run('run', '--out', 'r', '--trials', '3', '--fail-on', 'never');
  expect((await run('baseline', 'accept', 'r')).code).toBe(0);
  expect((await lstat(join(folder, 'accepted.yaml'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, 'shared.yaml'), 'utf8')).toContain('@demo/sim-unsteady');
});
