import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { wrongPlurals } from '../support/plurals.js';

/** Where there is one target, model, suite, probe, cell, run and request, every verb speaks of one. */

const config = (models: string, more = '') =>
  `targets: { demo: { base_url: simulator, models: [${models}] } }\nsuites: [shop.yaml]\n${more}`;
const hello = 'messages: [{ role: user, content: Say hello. }]';

let folder: string;
const run = (line: string) => chatspec(line.split(' '), { cwd: folder });

beforeAll(async () => {
  folder = await lastingFolder();
  await writeFiles(folder, {
    'chatspec.yaml': config('sim-reference', 'baseline: baseline.yaml\n'),
    'broken.yaml': config('sim-always-empty', 'out: broken/{stamp}\n'),
    'nowhere.yaml': config('sim-nowhere', 'out: nowhere/{stamp}\n'),
    'wrong.yaml': config('sim-reference', 'bugdet: {}\n'),
    'warned.yaml': config('sim-reference').replace('shop.yaml', 'warned-suite.yaml'),
    'settings.yaml': config('sim-reference').replace('shop.yaml', 'settings-suite.yaml'),
    'shop.yaml': `suite: shop\nprobes: { hello: { request: { ${hello} } } }\n`,
    'warned-suite.yaml': `suite: shop\nprobes: { hello: { request: { ${hello}, house_field: 1 } } }\n`,
    'settings-suite.yaml': `suite: shop\nprobes: { hello: { request: { ${hello} }, vary: { thinking: { settings: thinking } } }, plain: { request: { ${hello} } } }\n`,
    'schema.json': '{ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }',
  });
});

/** In this order, since later ones read what earlier ones wrote. */
const lines = [
  'validate',
  'validate --config warned.yaml',
  'validate --config wrong.yaml',
  'validate --config settings.yaml',
  'list',
  'list --shard 1/1',
  'list --config settings.yaml',
  'list --budget-requests 1',
  'run --dry-run',
  'run',
  'run --profile smoke --trials 1',
  'run --out short --budget-requests 1',
  'run --out none --budget-tokens 1',
  'run --out shard --shard 1/1',
  'run --verbose --out verbose --format md',
  'run --config broken.yaml --trials 1',
  'run --config nowhere.yaml',
  'run --config settings.yaml --out settings',
  'run --resume --out short --budget-requests 2',
  'run --last-failed',
  'run --last-failed none',
  'run --last-failed short --only shop/hello',
  'run --last-failed none --skip shop/hello',
  'merge shard --out merged',
  'merge shard shard --out merged-twice',
  'rejudge reports/latest --out rejudged',
  'report reports/latest --site site',
  ...['terminal', 'html', 'md', 'issue'].map((format) => `report reports/latest --format ${format}`),
  'diff none merged',
  'diff merged none',
  'diff merged merged --models demo/sim-reference',
  'diff merged --targets demo nothing',
  'diff merged --models demo/sim-reference nothing',
  'baseline accept merged --dry-run',
  'baseline accept merged',
  'baseline accept merged',
  'baseline accept none',
  'run --out known',
  'diff known merged',
  'evidence merged shop/hello',
  'evidence merged nothing/at-all',
  'capabilities export merged',
  'doctor',
  'doctor --model nothing',
  'doctor --target nothing',
  'check --schema schema.json --prompt hello --trials 1 --max-tokens 512 --budget-requests 1',
  'check --schema schema.json --prompt hello --trials 1 --max-tokens 512 --model nothing',
  'run --only nothing/at-all',
  'run --models nothing',
  'run --suites nothing',
  'run --tags nothing',
  'run --trials 0',
  'run --concurrency 0',
  'run --shard 2/1',
  'run --nonsense',
  'run one',
  'prune --keep 1',
  'prune --keep 1 --dry-run',
  'prune --keep 0',
  'merge merged --out m2',
  'completion nothing',
  'simulate --port x',
  'clients try',
  'shapes check',
];

describe('one of everything', () => {
  test('is spoken of as of one by every verb', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const line of lines) {
      const { stdout, stderr } = await run(line);
      const wrong = wrongPlurals(`${stdout}\n${stderr}`.replaceAll(/\s*\n\s+(?=\S)/g, ' '));
      if (wrong.length > 0) found[line] = wrong;
    }
    expect(found).toEqual({});
  });

  test('and in every file that they wrote', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const name of await readdir(folder, { recursive: true })) {
      const file = join(folder, name);
      if (!/\.(html|md|xml|yaml)$/.test(name) || !(await stat(file)).isFile()) continue;
      const wrong = wrongPlurals(await readFile(file, 'utf8'));
      if (wrong.length > 0) found[name] = wrong;
    }
    expect(found).toEqual({});
  });
});
