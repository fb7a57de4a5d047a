import { cp, mkdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chatspec, startChatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** What was moved, removed, edited or written at the same moment is said with its file and what to do. */

let cwd: string;
const ask = (line: string) => chatspec(line.split(' '), { cwd });
const models = ['sim-reference', 'sim-object-500', 'sim-schema-only'];

beforeEach(async () => {
  cwd = await tempFolder();
  const targets = { demo: { base_url: 'simulator', models } };
  const config = { targets, suites: ['builtin:core@1'], baseline: 'baseline.yaml' };
  await writeFiles(cwd, { 'chatspec.yaml': JSON.stringify(config) });
  await ask('run --only quick-start/* --trials 1 --fail-on never');
});

const runName = async () => basename(await readlink(join(cwd, 'reports/latest')));

describe('reports/latest', () => {
  test.each(['report', 'rejudge', 'baseline accept', 'evidence', 'capabilities export'])(
    'that leads to a run which is gone is called so by %s',
    async (verb) => {
      const gone = await runName();
      await rm(join(cwd, 'reports/runs', gone), { recursive: true });
      const { code, stderr } = await ask(`${verb} reports/latest`);
      expect(code).toBe(2);
      expect(stderr).toContain(`${gone}, which is gone\n  → `);
    },
  );

  test('that leads to a run which is gone does not hide that the next begins anew, and is moved', async () => {
    const gone = await runName();
    await rm(join(cwd, 'reports/runs', gone), { recursive: true });
    for (const line of ['run --resume', 'run --last-failed']) {
      expect((await ask(line)).stderr).toContain(`${gone}, which is gone`);
    }
    const next = await ask('run --only quick-start/* --trials 1 --fail-on never');
    expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining(`${gone}, which is gone`) as string });
    expect(await runName()).not.toBe(gone);
  });

  test('that is a copy of an old run stays as it is, and says that it is not this one', async () => {
    const latest = join(cwd, 'reports/latest');
    await cp(join(cwd, 'reports/runs', await runName()), `${latest}-copy`, { recursive: true });
    await rm(latest);
    await rename(`${latest}-copy`, latest);
    const before = await readFile(join(latest, 'report.json'), 'utf8');
    const { stderr } = await ask('run --only quick-start/* --trials 1 --fail-on never --out mine');
    expect(stderr).toContain('warning: reports/latest is a folder');
    expect(stderr).toContain('which is in mine');
    expect(await readFile(join(latest, 'report.json'), 'utf8')).toBe(before);
    const shard = await ask('run --only quick-start/* --trials 1 --fail-on never --out s1 --shard 1/2');
    expect(shard.stderr).not.toContain('reports/latest');
  });
});

describe('the options of a recorded run', () => {
  test.each<readonly [string, (started: Started) => void, RegExp]>([
    ['an option of another version', ({ options }) => (options['temperatures'] = '0'), /option temperatures/],
    ['another profile', (started) => (started.profile = 'deep'), /--profile must be one of/],
    ['a word for a number', ({ options }) => (options['trials'] = 'two'), /--trials must be a whole number/],
    ['a list for one value', ({ options }) => (options['trials'] = ['3']), /--trials takes one value/],
    ['a shard that cannot be', ({ options }) => (options['shard'] = '0/2'), /--shard must be/],
    ['a patch that is no JSON', ({ options }) => (options['request'] = '{'), /--request takes/],
    ['a rename without a name', ({ options }) => (options['rename'] = ['a']), /--rename takes/],
    ['a filter that nothing fits', ({ options }) => (options['only'] = ['none/*']), /--only none/],
  ])('with %s are told with the file', async (_, edit, why) => {
    const file = join('reports/runs', await runName(), 'journal.jsonl');
    const [first = '', ...others] = (await readFile(join(cwd, file), 'utf8')).split('\n');
    const started = JSON.parse(first) as Started;
    edit(started);
    started.tool.version = '9.9.9';
    await writeFile(join(cwd, file), [JSON.stringify(started), ...others].join('\n'));
    for (const line of [`rejudge reports/latest`, 'run --resume']) {
      const { code, stderr } = await ask(line);
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(`${file}:1: `);
      expect(stderr).toMatch(why);
      expect(stderr).toMatch(/\n +→ /);
    }
  });

  interface Started {
    profile: string;
    readonly tool: { version: string };
    readonly options: Record<string, unknown>;
  }
});

test('an empty journal is called empty', async () => {
  await mkdir(join(cwd, 'killed'));
  await writeFile(join(cwd, 'killed', 'journal.jsonl'), '');
  const { code, stderr } = await ask('rejudge killed');
  expect(code).toBe(2);
  expect(stderr).toMatch(/journal\.jsonl is empty.*\n +→ /);
});

test('of three that accept at once, none is lost, and a lock that a killed one left is taken', async () => {
  const latest = await runName();
  const left = JSON.stringify({ host: hostname(), pid: 2 ** 22 + 1, started: '' });
  await writeFile(join(cwd, 'baseline.yaml.lock'), left);
  const accepted = models.map(
    (model) =>
      startChatspec(['baseline', 'accept', `reports/runs/${latest}`, '--only', `*@demo/${model}`], { cwd }).done,
  );
  expect((await Promise.all(accepted)).map(({ code }) => code)).toEqual([0, 0, 0]);
  const { covers } = parse(await readFile(join(cwd, 'baseline.yaml'), 'utf8')) as { covers: { cells: string }[] };
  for (const model of models) expect(covers.some(({ cells }) => cells.endsWith(`@demo/${model}`))).toBe(true);
});
