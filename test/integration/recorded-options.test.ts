import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** A run records the options that decide what it asks, so that resuming and rejudging need none of them. */

const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }] } }
  order:
    tags: [nightly]
    request:
      messages: [{ role: user, content: 'Order 3 mechanical keyboards for Li Lei, 897.00 CNY in total, dated 2026-05-01.' }]
      tools: [{ type: function, function: { name: create_order, parameters: { type: object } } }]
    vary: { tool_choice: { required: required, object: { type: function, function: { name: create_order } } } }
`;
const config = `targets:
  demo: { base_url: simulator, limits: { concurrency: 1 }, models: [sim-reference, sim-object-500] }
suites: [shop.yaml]
`;
const files = { 'chatspec.yaml': config, 'shop.yaml': suite };

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, files);
});

const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
const reportOf = async (name: string) =>
  JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;

describe('rejudge', () => {
  test.each(['--trials 2', '--trials 3 --only shop/order', '--tags nightly --seed 7', '--profile smoke'])(
    'takes over %s',
    async (options) => {
      const first = await run(`run --out r ${options}`);
      const again = await run('rejudge r');
      expect(again.code).toBe(first.code);
      expect(await reportOf('r-rejudged')).toEqual(await reportOf('r'));
    },
  );

  test('needs no report: a killed run is rejudged from its journal', async () => {
    await run('run --out r --only shop/hello --trials 2');
    const journal = await readFile(join(folder, 'r', 'journal.jsonl'), 'utf8');
    await writeFiles(folder, { 'killed/journal.jsonl': journal.replace(/\{"type":"run_finished".*\n/, '') });
    expect((await run('rejudge killed')).code).toBe(3);
    expect((await reportOf('killed-rejudged')).cells.map(({ key, verdict }) => [key, verdict])).toEqual([
      ['shop/hello@demo/sim-reference', 'pass'],
      ['shop/hello@demo/sim-object-500', 'pass'],
    ]);
  });
});

describe('run --resume', () => {
  test('takes over the options of the run', async () => {
    await run('run --out whole --trials 2 --only shop/order --fail-on never');
    await run('run --out r --trials 2 --only shop/order --budget-requests 3');
    const resumed = await run('run --resume --out r --budget-requests 100 --fail-on never');
    expect(resumed.stderr).toContain('using options of the recorded run: --only shop/order --trials 2\n');
    expect(resumed.code).toBe(0);
    const cells = async (name: string) => (await reportOf(name)).cells.map(({ key, verdict }) => [key, verdict]);
    expect(await cells('r')).toEqual(await cells('whole'));
  });

  test.each([
    ['other options', {}, '--trials 3', /it was started with other options\n.*resume it without options/],
    ['another suite', { 'shop.yaml': suite.replace('Say hello', 'Say hi') }, '', /the suites have changed since\n/],
    [
      'another config',
      { 'chatspec.yaml': config.replace(', sim-object-500', '') },
      '',
      /models in the config have changed/,
    ],
    [
      'another baseline',
      {
        'chatspec.yaml': `${config}baseline: b.yaml\n`,
        'b.yaml': 'format: chatspec-baseline/1\ncovers: ["*@demo/*"]\nexpect: []\n',
      },
      '',
      /the baseline has changed since\n/,
    ],
  ])('names the difference: %s', async (_, changed, options, message) => {
    await run('run --out r --trials 2 --budget-requests 3');
    const before = await readFile(join(folder, 'r', 'journal.jsonl'), 'utf8');
    await writeFiles(folder, changed);
    const { code, stderr } = await run(`run --resume --out r ${options}`.trim());
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(await readFile(join(folder, 'r', 'journal.jsonl'), 'utf8')).toBe(before);
  });
});
