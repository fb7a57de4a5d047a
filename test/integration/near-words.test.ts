import { beforeAll, describe, expect, test } from 'vitest';
import { lastingFolder } from '../support/lasting-folder.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { fileFormats, reportFormats } from '../../src/report/report-formats.js';
import { verbs } from '../../src/cli/verbs.js';

/** A word that is one of a few, or a name that is known, is suggested where it is misspelt; nothing else is printed. */

let folder: string;
const run = (...args: string[]) => chatspec(args, { cwd: folder });

beforeAll(async () => {
  folder = await lastingFolder();
  await writeFiles(folder, {
    'chatspec.yaml':
      'targets: { service: { base_url: simulator, models: [sim-reference, { id: sim-object-500, as: other }] } }\nsuites: [shop.yaml]\nbaseline: baseline.yaml\n',
    'shop.yaml':
      'suite: shop\nprobes: { hello: { tags: [smoke], request: { messages: [{ role: user, content: Say hello. }] } } }\n',
    'order.json':
      '{ "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id"], "additionalProperties": false }',
    'shapes.lock.yaml': 'format: chatspec-shapes/1\nshapes: []\n',
  });
  await run('run', '--out', 'r', '--quiet');
});

const asking = ['--schema', 'order.json', '--prompt', 'An order as JSON.'];

/** Each command line ends in a word that is nearly right, but for what stands behind `--`. */
const lines: readonly (readonly [line: readonly string[], meant: string])[] = [
  [['rnu'], 'run'],
  [['capabilites', 'export', 'r'], 'capabilities'],
  [['run', '--modles', 'x'], '--models'],
  [['run', '--profile', 'certfy'], 'certify'],
  [['run', '--fail-on', 'regresion'], 'regression'],
  [['merge', 'r', '--out', 'm', '--fail-on', 'devation'], 'deviation'],
  [['run', '--format', 'htlm'], 'html'],
  [['merge', 'r', '--out', 'm', '--format', 'openmetric'], 'openmetrics'],
  [['report', 'r', '--format', 'isue'], 'issue'],
  [['capabilities', 'export', 'r', '--format', 'litelm'], 'litellm'],
  [['baseline', 'acept', 'r'], 'accept'],
  [['shapes', 'recrod', '--', 'true'], 'record'],
  [['shapes', 'check', '--fail-on', 'unsuported', '--', 'true'], 'unsupported'],
  [['completion', 'zhs'], 'zsh'],
  [['run', '--models', 'sim-refrence'], 'sim-reference'],
  [['run', '--suites', 'shp'], 'shop'],
  [['run', '--tags', 'smok'], 'smoke'],
  [['run', '--only', 'shop/helo'], 'shop/hello'],
  [['check', '--model', 'sim-refrence', ...asking], 'sim-reference'],
  [['check', '--model', 'othr', ...asking], 'other'],
  [['doctor', '--model', 'sim-refrence'], 'sim-reference'],
  [['doctor', '--target', 'servce'], 'service'],
  [['diff', 'r', '--models', 'sim-refrence', 'sim-object-500'], 'sim-reference'],
  [['diff', 'r', 'r', '--targets', 'service', 'servce'], 'service'],
  [['evidence', 'r', 'shop/helo'], 'shop/hello'],
  [['baseline', 'accept', 'r', '--only', 'shop/helo'], 'shop/hello'],
];

test.each(lines.map(([line, meant]) => [line.join(' '), line, meant] as const))('%s', async (_name, line, meant) => {
  const { code, stdout, stderr } = await run(...line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^chatspec: error: [^\n]+\n {2}→ did you mean [^\n]+\?\n$/);
  expect(stderr).toContain(`"${meant}`);
});

/** One word that the verb has no place for, and what was meant. */
test.each<readonly [string, string]>([
  ['list models', '"--models"'],
  ['list suites', '--suites'],
  ['list tags', '--tags'],
  ['run validate', '"chatspec validate"'],
  ['run sim-reference', '"--models sim-reference" or "--only sim-reference"'],
  ['validate chatspec.yaml', '"--config chatspec.yaml"'],
  ['doctor sim-reference', '"--model sim-reference"'],
  ['prune 5', 'chatspec prune --help'],
  ['init folder', 'chatspec init --help'],
  ['report r r', 'chatspec report --help'],
])('%s', async (line, meant) => {
  const { code, stdout, stderr } = await run(...line.split(' '));
  const [verb = '', ...words] = line.split(' ');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^chatspec: error: [^\n]+\n {2}→ [^\n]+\n$/);
  expect(stderr).toContain(`chatspec ${verb} has no place for "${words.at(-1) ?? ''}"`);
  expect(stderr).toContain(meant);
});

/** What lacks a word is told with the whole of it. */
test.each<readonly [string, string, string]>([
  ['capabilities r', 'chatspec capabilities has no action "r"', 'did you mean "chatspec capabilities export r"?'],
  ['baseline r', 'chatspec baseline has no action "r"', 'did you mean "chatspec baseline accept r"?'],
  ['baseline acept', 'chatspec baseline has no action "acept"', 'did you mean "chatspec baseline accept RUN"?'],
  ['capabilities export', 'missing required argument "RUN"', 'chatspec capabilities export reports/latest'],
  [
    'capabilities',
    'missing required argument "ACTION"',
    'one of export, compare; such as chatspec capabilities export',
  ],
  ['baseline', 'missing required argument "ACTION"', 'chatspec baseline accept reports/latest'],
  ['shapes', 'missing required argument "ACTION"', 'one of record, check, to-suite'],
  ['clients', 'missing required argument "ACTION"', 'chatspec clients try -- node app.js'],
  ['report', 'missing required argument "RUN"', 'chatspec report reports/latest'],
  ['evidence', 'missing required argument "RUN"', 'chatspec evidence reports/latest'],
  ['merge', 'missing required argument "RUNS"', 'chatspec merge shard-1 shard-2'],
  ['completion', 'missing required argument "SHELL"', 'bash, zsh, fish'],
])('%s lacks a word', async (line, message, hint) => {
  const { code, stdout, stderr } = await run(...line.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^chatspec: error: [^\n]+\n {2}→ [^\n]+\n$/);
  expect(stderr).toContain(`error: ${message}\n`);
  expect(stderr).toContain(hint);
});

/** A diff of one thing with itself is empty whatever the run holds, so it is no answer. */
test.each<readonly [string, RegExp]>([
  ['diff r --models sim-reference sim-reference', /names a model twice: sim-reference/],
  ['diff --models sim-reference,sim-reference r', /names a model twice: sim-reference/],
  ['diff r --models other sim-object-500', /"other" and "sim-object-500" are the same model/],
  ['diff r --models service/sim-reference sim-reference', /are the same model/],
  ['diff r --targets service service', /names a target twice: service/],
  ['diff --models sim-reference r', /names no run\n {2}→ chatspec diff RUN --models A B/],
  ['diff r --models sim-reference r', /"r" is a run, where a model is expected\n {2}→ chatspec diff RUN --models A B/],
  ['diff r --targets r service', /"r" is a run, where a target is expected/],
])('%s', async (line, message) => {
  const { code, stdout, stderr } = await run(...line.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

describe('a mistake in the command line is printed alone, although the config has a warning', () => {
  test.each(
    ['run', 'rejudge r'].flatMap((verb) =>
      [
        ['--trials', '0'],
        ['--seed', 'x'],
        ['--profile', 'nonsense'],
        ['--tags', ''],
        ['--models', ','],
        ['--only', 'shop/nothing-like-it'],
        ...(verb === 'rejudge r' ? [] : [['--shard', 'x']]),
      ].map((options) => [[...verb.split(' '), ...options].join(' '), [...verb.split(' '), ...options]] as const),
    ),
  )('%s', async (_name, line) => {
    const { code, stdout, stderr } = await run(...line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^chatspec: error: /);
    expect(stderr).not.toContain('warning');
  });

  test.each([
    ['--model', 'gpt-7'],
    ['--trials', 'x'],
    ['--max-tokens', 'x'],
  ])('check %s %s', async (option, value) => {
    const { code, stderr } = await run('check', ...asking, option, value);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^chatspec: error: /);
    expect(stderr).not.toContain('warning');
  });
});

describe('a folder that is no run is called that, by every verb that takes one', () => {
  test.each([
    ['report nowhere'],
    ['rejudge nowhere'],
    ['diff nowhere r'],
    ['diff r nowhere'],
    ['diff nowhere --models a b'],
    ['baseline accept nowhere'],
    ['merge nowhere --out m'],
    ['capabilities export nowhere'],
    ['evidence nowhere shop/hello'],
    ['run --last-failed nowhere'],
    ['list --last-failed nowhere'],
    ['run --resume --out nowhere'],
    ['shapes check --against nowhere -- true'],
  ])('%s', async (line) => {
    const { code, stdout, stderr } = await run(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^chatspec: error: [^\n]*nowhere[^\n]*not a run folder\n {2}→ name [^\n]+\n$/);
  });
});

describe('the values of --format', () => {
  const ofRun = fileFormats.map(({ name }) => name);
  const all = Object.values(reportFormats).map(({ name }) => name);

  test.each([
    ['run', ofRun],
    ['merge', ofRun],
    ['report', all],
  ])('are the same in the help and in the error of %s', async (verb, names) => {
    const options = verbs.find(({ usage }) => usage.split(' ')[0] === verb)?.options ?? [];
    const takes = options.find(([flag]) => flag.startsWith('--format'))?.[2];
    const listed = typeof takes === 'object' ? [...takes] : [];
    expect(listed.toSorted()).toEqual(names.toSorted());

    const { stderr } = await run(verb, ...(verb === 'run' ? [] : ['r']), '--format', 'nonsense');
    const told = /takes a list of (.*), not/.exec(stderr)?.[1]?.split(', ') ?? [];
    expect(told).toEqual(listed);
  });
});
