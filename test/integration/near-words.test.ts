import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { lastingFolder } from '../support/lasting-folder.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { fileFormats, reportFormats } from '../../src/report/report-formats.js';
import { verbGroups } from '../../src/cli/verbs.js';

const verbs = Object.values(verbGroups).flat();

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

interface Refused {
  /** By the command line; `check` asks with a schema and a prompt. */
  readonly nearly_right: Readonly<Record<string, string>>;
  readonly no_place: Readonly<Record<string, string>>;
  readonly lacks: Readonly<Record<string, readonly [message: string, hint: string]>>;
  /** Patterns. */
  readonly itself: Readonly<Record<string, string>>;
  readonly no_run: readonly string[];
}
const refused = parse(readFileSync('fixtures/hostile/commands.yaml', 'utf8')) as Refused;

/** What the error says of a line that cannot be run: one message and one hint, and nothing is printed. */
async function errorOf(line: string): Promise<string> {
  const args = line.split(' ');
  const { code, stdout, stderr } = await run(...args, ...(args[0] === 'check' ? asking : []));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^chatspec: error: [^\n]+\n {2}→ [^\n]+\n$/);
  return stderr;
}

test.each(Object.entries(refused.nearly_right))('%s', async (line, meant) => {
  const told = await errorOf(line);
  expect(told).toMatch(/→ did you mean [^\n]+\?\n$/);
  expect(told).toContain(`"${meant}`);
});

test.each(Object.entries(refused.no_place))('%s', async (line, meant) => {
  const [verb = '', ...words] = line.split(' ');
  const told = await errorOf(line);
  expect(told).toContain(`chatspec ${verb} has no place for "${words.at(-1) ?? ''}"`);
  expect(told).toContain(meant);
});

test.each(Object.entries(refused.lacks))('%s lacks a word', async (line, [message, hint]) => {
  const told = await errorOf(line);
  expect(told).toContain(`error: ${message}\n`);
  expect(told).toContain(hint);
});

test.each(Object.entries(refused.itself))('%s', async (line, says) => {
  expect(await errorOf(line)).toMatch(new RegExp(says));
});

test.each(refused.no_run)('%s: that is not a run folder', async (line) => {
  expect(await errorOf(line)).toMatch(/nowhere[^\n]*not a run folder\n {2}→ name /);
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
    const listed = typeof takes === 'object' && !('least' in takes) ? [...takes] : [];
    expect(listed.toSorted()).toEqual(names.toSorted());

    const { stderr } = await run(verb, ...(verb === 'run' ? [] : ['r']), '--format', 'nonsense');
    const told = /takes a list of (.*), not/.exec(stderr)?.[1]?.split(', ') ?? [];
    expect(told).toEqual(listed);
  });
});
