import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, transcript, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** `run --last-failed` asks again what an earlier run left open, and says that the rest was not asked. */

const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }] } }
  bye: { tags: [late], request: { messages: [{ role: user, content: Say goodbye. }] } }
  order:
    needs: [shop/hello]
    tags: [nightly]
    request:
      messages: [{ role: user, content: 'Order 3 mechanical keyboards for Li Lei, 897.00 CNY in total, dated 2026-05-01.' }]
      tools: [{ type: function, function: { name: create_order, parameters: { type: object, properties: { buyer: { type: string } }, required: [buyer], additionalProperties: false } } }]
    vary: { tool_choice: { required: required, object: { type: function, function: { name: create_order } } } }
`;
const config = (models: string): string => `targets:
  demo: { base_url: simulator, limits: { concurrency: 1 }, models: [${models}] }
suites: [shop.yaml]
baseline: baseline.yaml
`;
const faulty = 'sim-reference, sim-object-500';
const failing = 'shop/order[tool_choice=object]@demo/sim-object-500';

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, {
    'chatspec.yaml': config(faulty),
    'shop.yaml': suite,
    'baseline.yaml': 'format: chatspec-baseline/1\ncovers: []\nexpect: []\n',
  });
});

const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
const reportOf = async (name: string) =>
  JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;
const keysOf = async (name: string) => (await reportOf(name)).cells.map(({ key }) => key);

async function session(name: string, ...lines: readonly string[]): Promise<readonly (number | null)[]> {
  const results = [];
  for (const line of lines) results.push([line, await run(line)] as const);
  const text = results.map(([line, result]) => transcript(line, result, folder)).join('');
  await expect(text.replace(/\b[0-9a-f]{16}\b/g, 'RUN-ID')).toMatchFileSnapshot(`__snapshots__/cli/${name}.txt`);
  return results.map(([, { code }]) => code);
}

describe('run --last-failed', () => {
  test('asks what failed and what it needs, and says that it is partial', async () => {
    const codes = await session(
      'last-failed',
      'run --out reports/runs/one --fail-on never',
      'run --last-failed --out reports/runs/two',
      'report reports/runs/two --format md --out .',
    );
    expect(codes).toEqual([0, 1, 0]);
    expect(await keysOf('reports/runs/two')).toEqual(['shop/hello@demo/sim-object-500', failing]);
    const { run: facts, recommendations } = await reportOf('reports/runs/two');
    const { run: first } = await reportOf('reports/runs/one');
    expect(facts.last_failed).toEqual({ run: first.id, of: 8, left_out: [] });
    expect(recommendations).toEqual([]);
    expect(await readlink(join(folder, 'reports/latest'))).toBe('runs/two');
    expect(await readFile(join(folder, 'report.md'), 'utf8')).toContain('Partial run: 2 of 8 checks were repeated');
  });

  test('asks nothing where nothing was left open, and ends with 0', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config('sim-reference') });
    await run('run --out one --fail-on never');
    expect(
      await session('last-failed-nothing', 'run --last-failed', 'run --last-failed --json', 'list --last-failed'),
    ).toEqual([0, 0, 0]);
    expect(await readlink(join(folder, 'reports/latest'))).toBe('../one');
  });

  test('composes with other filters, and the next run asks what they left out', async () => {
    await writeFiles(folder, { 'chatspec.yaml': config('sim-object-500, sim-length-json') });
    await run('run --out one --fail-on never');
    const open = (await reportOf('one')).cells.filter(({ verdict }) => verdict !== 'pass').map(({ key }) => key);
    expect(open).toContain(failing);
    const nothing = await run('run --last-failed one --only shop/bye@demo/sim-object-500 --out none');
    expect(nothing).toMatchObject({ code: 0 });
    expect(nothing.stdout).toContain('the other options choose none of the');
    const { code } = await run('run --last-failed one --models sim-object-500 --fail-on never --out two');
    expect(code).toBe(0);
    expect((await reportOf('two')).run.last_failed?.left_out).toEqual(open.filter((key) => !key.endsWith('-500')));
    await run('run --last-failed two --fail-on never --out three');
    expect(await keysOf('three')).toEqual(await keysAskedFor(open));
  });

  test('is kept by resume and rejudge, also when the newest run is the partial one', async () => {
    await run('run --out one --fail-on never');
    await run('run --last-failed --out two');
    const report = await reportOf('two');
    expect((await run('rejudge two')).code).toBe(1);
    expect(await reportOf('two-rejudged')).toEqual(report);

    const journal = await readFile(join(folder, 'two', 'journal.jsonl'), 'utf8');
    const lines = journal.split('\n');
    await writeFiles(folder, { 'cut/journal.jsonl': `${lines.slice(0, 3).join('\n')}\n` });
    for (const given of ['', ' --last-failed', ' --last-failed two']) {
      const resumed = await run(`run --resume --out cut${given}`);
      expect(resumed.code, resumed.stderr).toBe(1);
      expect(await keysOf('cut')).toEqual(report.cells.map(({ key }) => key));
    }
  });

  test('refuses a run that is missing, not ended or of another config', async () => {
    await run('run --out one --fail-on never');
    await writeFiles(folder, {
      'begun/journal.jsonl':
        (await readFile(join(folder, 'one/journal.jsonl'), 'utf8')).split('\n').slice(0, 3).join('\n') + '\n',
      'other.yaml': config('sim-reference'),
      'strange/chatspec.yaml': config('sim-reference').replace('demo:', 'shop:'),
      'strange/shop.yaml': suite,
      'strange/baseline.yaml': 'format: chatspec-baseline/1\ncovers: []\nexpect: []\n',
    });
    const codes = await session(
      'last-failed-refused',
      'run --last-failed nowhere',
      'run --last-failed begun',
      'run --config other.yaml --last-failed one',
      'run --config strange/chatspec.yaml --last-failed one',
      'run --config strange/chatspec.yaml --last-failed',
    );
    expect(codes).toEqual([2, 2, 2, 2, 2]);
  });
});

/** In the order of the plan: the cells, and before each what it needs. */
async function keysAskedFor(open: readonly string[]): Promise<readonly string[]> {
  const all = await keysOf('one');
  const models = new Set(open.map((key) => key.slice(key.indexOf('@'))));
  const needed = open.some((key) => key.startsWith('shop/order')) ? [...models].map((at) => `shop/hello${at}`) : [];
  return all.filter((key) => open.includes(key) || needed.includes(key));
}
