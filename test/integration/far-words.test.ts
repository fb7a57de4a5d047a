import { beforeAll, expect, test } from 'vitest';
import { lastingFolder } from '../support/lasting-folder.js';
import { chatspec, writeFiles } from '../support/cli.js';

/** Where no known name is near, a few are named, and how many more there are: a screen of names tells nobody anything. */

const mostNames = 10;
const many = (prefix: string): readonly string[] =>
  Array.from({ length: 30 }, (_, index) => `${prefix}-${'abcdef'[index % 6] ?? ''}${'uvwxy'[index % 5] ?? ''}`);
const names = ['model', 'suite', 'probe', 'tag', 'target'].flatMap(many);

let folder: string;
const run = (...args: string[]) => chatspec(args, { cwd: folder });

beforeAll(async () => {
  folder = await lastingFolder();
  const models = many('model');
  const targets = many('target').map(
    (name, at) => `  ${name}: { base_url: simulator, models: [{ id: sim-reference, as: ${models[at] ?? ''} }] }`,
  );
  const tags = `[${many('tag').join(', ')}]`;
  const request = '{ messages: [{ role: user, content: Say hello. }] }';
  const probes = many('probe').map((name) => `  ${name}: { tags: ${tags}, request: ${request} }`);
  await writeFiles(folder, {
    'chatspec.yaml': `targets:\n${targets.join('\n')}\nsuites: [shop.yaml]\nbaseline: baseline.yaml\n`,
    'shop.yaml': `suite: shop\nprobes:\n${probes.join('\n')}\n`,
    'clients.yaml': 'targets: { a: { base_url: simulator, models: [sim-reference] } }\nclients: [zzzzzzzz]\n',
    'unknown-key.yaml': 'targets: { a: { base_url: simulator, models: [sim-reference] } }\nzzzzzzzz: 1\n',
    'own.yaml': 'profiles: [{ id: mine, summary: a, source: b, extends: zzzzzzzz }]\n',
    'taken.yaml': 'profiles: [{ id: sim-reference, summary: a, source: b, extends: sim-reference }]\n',
    'order.json': '{ "type": "object", "properties": {}, "required": [], "additionalProperties": false }',
  });
  await run('run', '--only', 'shop/probe-au', '--trials', '1', '--out', 'r', '--quiet');
});

const asking = ['--schema', 'order.json', '--prompt', 'An order as JSON.'];

test.each<readonly string[]>([
  ['zzzzzzzz'],
  ['run', '--models', 'zzzzzzzz'],
  ['run', '--suites', 'zzzzzzzz'],
  ['run', '--tags', 'zzzzzzzz'],
  ['run', '--only', 'zzzzzzzz'],
  ['run', '--only', 'shop/probe-au@zzzzzzzz'],
  ['run', '--profile', 'zzzzzzzz'],
  ['run', '--format', 'zzzzzzzz'],
  ['report', 'r', '--format', 'zzzzzzzz'],
  ['doctor', '--model', 'zzzzzzzz'],
  ['doctor', '--target', 'zzzzzzzz'],
  ['check', '--model', 'zzzzzzzz', ...asking],
  ['diff', 'r', '--models', 'zzzzzzzz', 'model-au'],
  ['diff', 'r', '--models', 'sim-reference', 'target-au/sim-reference'],
  ['diff', 'r', '--targets', 'zzzzzzzz', 'target-au'],
  ['evidence', 'r', 'zzzzzzzz'],
  ['baseline', 'accept', 'r', '--only', 'zzzzzzzz'],
  ['clients', 'try', '--only', 'zzzzzzzz', '--', 'true'],
  ['completion', 'zzzzzzzz'],
  ['simulate', '--profiles', 'own.yaml'],
  ['simulate', '--profiles', 'taken.yaml'],
  ['validate', '--config', 'clients.yaml'],
  ['validate', '--config', 'unknown-key.yaml'],
])('chatspec %s %s %s %s %s', async (...line) => {
  const { code, stderr, stdout } = await run(...line.filter((word) => typeof word === 'string'));
  const printed = stdout + stderr;
  expect(code).toBe(2);
  expect(printed).toContain('error');
  const told = printed.replaceAll(/^ *>? *\d* \|.*$/gm, '');
  expect(told.split('\n').length).toBeLessThan(20);
  expect(names.filter((name) => told.toLowerCase().includes(name.toLowerCase())).length).toBeLessThanOrEqual(mostNames);
  for (const list of told.split('\n')) expect(list.split(', ').length).toBeLessThanOrEqual(mostNames + 2);
});
