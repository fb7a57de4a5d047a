import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { builtChatspec, chatspec, writeFiles } from '../support/cli.js';
import { lasting } from '../support/lasting-parts.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** Shards in processes of their own, as on several machines. */

const models = ['sim-reference', 'sim-object-500', 'sim-wobbly', 'sim-rf-empty', 'sim-budget'];
const suite = `suite: part
defaults: { request: { max_tokens: 2000 } }
probes:
  plain:
    request: { messages: [{ role: user, content: Say hello. }] }
    trials: 2
  object:
    request:
      messages: [{ role: user, content: Order a lamp. }]
      tools: [{ type: function, function: { name: order, parameters: { type: object, properties: { item: { type: string } }, required: [item], additionalProperties: false } } }]
    vary: { tool_choice: { auto: auto, object: { type: function, function: { name: order } } } }
    needs: [part/plain]
`;
const config = (more = '', ids = models) =>
  `targets: { t: { base_url: simulator, ${more}models: [${ids.join(', ')}] } }\nsuites: [part.yaml]\nbaseline: baseline.yaml\n`;
const files = {
  'chatspec.yaml': config(),
  'part.yaml': suite,
  'baseline.yaml': 'format: chatspec-baseline/1\ncovers: ["*@t/*"]\nexpect: []\n',
};

let cwd: string;
const reportIn = async (folder: string): Promise<Report> =>
  JSON.parse(await readFile(join(cwd, folder, 'report.json'), 'utf8')) as Report;
const linesOf = (folder: string): Promise<string> => readFile(join(cwd, folder, 'journal.jsonl'), 'utf8');

beforeAll(async () => {
  cwd = await lastingFolder();
  await writeFiles(cwd, files);
  await chatspec(['run', '--out', 'before', '--seed', '1'], { cwd });
  const { code } = await chatspec(['run', '--out', 'whole', '--format', 'json'], { cwd });
  expect(code).toBe(1);
});

/** All follow the same run, whose knowledge they share. */
beforeEach(async () => {
  const latest = join(cwd, 'reports', 'latest');
  await rm(latest);
  await symlink(join(cwd, 'before'), latest);
});

describe.each([1, 2, 4, 7])('%i processes', (of) => {
  const shards = Array.from({ length: of }, (_, index) => index + 1);

  test('give together the report and the exit code of one, also where some have nothing to ask', async () => {
    const parts = await Promise.all(
      shards.map((index) =>
        builtChatspec(['run', '--shard', `${index}/${of}`, '--out', `${of}-${index}`, '--format', 'json'], { cwd }),
      ),
    );
    expect(parts.map(({ code }) => code)).toEqual(shards.map(() => 0));
    const folders = shards.map((index) => `${of}-${index}`);
    const merged = await builtChatspec(['merge', ...folders, '--out', `merged-${of}`, '--format', 'json'], { cwd });
    expect(merged.code).toBe(1);
    expect(lasting(await reportIn(`merged-${of}`))).toEqual(lasting(await reportIn('whole')));
  });

  test('are listed beforehand: every cell in exactly one, with the time that its part of the limits allows', async () => {
    const list = async (...more: readonly string[]) =>
      JSON.parse((await chatspec(['list', '--json', ...more], { cwd })).stdout) as Listed;
    const whole = await list();
    const parts = await Promise.all(shards.map((index) => list('--shard', `${index}/${of}`)));
    expect(parts.map(({ shard }) => shard)).toEqual(shards.map((index) => ({ index, of })));
    const keys = parts.flatMap(({ cells }) => cells.map(({ key }) => key));
    expect(keys.sort()).toEqual(whole.cells.map(({ key }) => key).sort());
    const asked = await Promise.all(shards.map((index) => reportIn(`${of}-${index}`)));
    expect(asked.map(({ cells }) => cells.map(({ key }) => key))).toEqual(
      parts.map(({ cells }) => cells.map(({ key }) => key)),
    );
    const requests = parts.reduce((sum, part) => sum + part.requests.expected, 0);
    expect(requests).toBe(whole.requests.expected);
  });
});

interface Listed {
  readonly shard?: { readonly index: number; readonly of: number };
  readonly cells: readonly { readonly key: string }[];
  readonly requests: { readonly expected: number };
  readonly seconds: { readonly expected: number };
}

test('the list of a shard says which it is', async () => {
  const { stdout, code } = await chatspec(['list', '--shard', '2/4'], { cwd });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('profile standard, shard 2 of 4\n') as string,
  });
  expect((await chatspec(['list', '--shard', '5/4'], { cwd })).code).toBe(2);
});

test('the estimate counts targets of one key together', async () => {
  const folder = await lastingFolder();
  const target = (name: string, key: string) =>
    `${name}: { base_url: 'https://service.example/v1', api_key_env: ${key}, limits: { requests_per_minute: 5 }, models: [m] }`;
  const seconds = async (second: string) => {
    const text = `targets: { ${target('a', 'KEY_A')}, ${target('b', second)} }\nsuites: [part.yaml]\n`;
    await writeFiles(folder, { 'chatspec.yaml': text, 'part.yaml': suite });
    const env = { KEY_A: 'one-secret', KEY_B: 'one-secret', KEY_C: 'another-secret' };
    const { stdout } = await chatspec(['list', '--json', '--trials', '1'], { cwd: folder, env });
    return (JSON.parse(stdout) as Listed).seconds.expected;
  };
  // Four requests to each: the opening control and three cells.
  expect(await seconds('KEY_C')).toBe(1);
  // Two variables with one key are one account: eight requests, five in the first minute.
  expect(await seconds('KEY_B')).toBe(60);
});

describe('merge refuses', () => {
  const refused = async (folders: readonly string[], message: string) => {
    const { code, stderr } = await chatspec(['merge', ...folders, '--out', 'refused'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
  };

  test('shards of two versions', async () => {
    const [first = '', ...others] = (await linesOf('2-2')).split('\n');
    const started = JSON.parse(first) as { tool: { name: string; version: string } };
    const older = { ...started, tool: { ...started.tool, version: '0.0.9' } };
    await writeFiles(cwd, { 'older/journal.jsonl': [JSON.stringify(older), ...others].join('\n') });
    await refused(['2-1', 'older'], 'older and 2-1 are not shards of the same run: chatspec 0.0.9 made one, chatspec ');
  });

  test('shards of two configs, or of other suites, and says which differ', async () => {
    const elsewhere = async (changed: Partial<typeof files>, out: string) => {
      const folder = await lastingFolder();
      await writeFiles(folder, { ...files, ...changed });
      await chatspec(['run', '--shard', '2/2', '--out', join(cwd, out)], { cwd: folder });
    };
    await elsewhere({ 'chatspec.yaml': config('', models.slice(1)) }, 'other-config');
    await refused(['2-1', 'other-config'], 'not shards of the same run: targets or models in the config differ');
    await elsewhere({ 'part.yaml': suite.replace('hello', 'good night') }, 'other-suite');
    await refused(['2-1', 'other-suite'], 'not shards of the same run: the suites differ');
    await chatspec(['run', '--shard', '2/2', '--trials', '1', '--out', 'other-options'], { cwd });
    await refused(['2-1', 'other-options'], 'not shards of the same run: the options or the baseline differ');
  });

  test('shards of another number, and one that is named twice', async () => {
    await refused(['2-1', '4-2'], 'one is of 4 shards, the other of 2');
    await refused(['4-1', '4-2', '4-2', '4-3', '4-4'], 'shard 2/4 is named twice: 4-2 and 4-2');
  });

  test('to call a run whole of which a shard is missing', async () => {
    const { code, stdout } = await chatspec(['merge', '4-1', '4-2', '4-4', '--out', 'lacking', '--fail-on', 'never'], {
      cwd,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('Shard 3 of 4 is missing');
    expect((await reportIn('lacking')).run.complete).toBe(false);
  });
});
