import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunSummary } from '../../src/matrix/run-summary.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { tempFolder } from '../support/temp-folder.js';

/** Five nights: four whole ones and, in between, one that was interrupted. */

const nights = ['night-1', 'night-2', 'night-3', 'night-4', 'night-5'];
const cut = 'night-2';
const thin = ['capabilities.json', 'index.html', 'report.json', 'summary.json'];
const gone = ['failures.jsonl', 'journal.jsonl', 'junit.xml', 'report.md'];

let made: string;
let cwd: string;
const chat = (line: string) => chatspec(line.split(' '), { cwd });
const runs = (...path: string[]) => join(cwd, 'reports', 'runs', ...path);
const filesIn = async (name: string) => (await readdir(runs(name))).sort();

interface Pruned {
  readonly folder: string;
  readonly result: string;
  readonly reason: string | null;
  readonly removed: readonly string[];
  readonly bytes: number;
}
interface Answer {
  readonly runs: readonly Pruned[];
  readonly freed_bytes: number;
}
async function prune(line: string): Promise<Readonly<Record<string, Pruned>>> {
  const { stdout, stderr, code } = await chat(`prune ${line} --json`);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const answer = JSON.parse(stdout) as Answer;
  expect(answer.freed_bytes).toBe(answer.runs.reduce((sum, { bytes }) => sum + bytes, 0));
  return Object.fromEntries(answer.runs.map((one) => [one.folder.replace('reports/runs/', ''), one]));
}
const resultsOf = (pruned: Readonly<Record<string, Pruned>>) =>
  Object.fromEntries(Object.entries(pruned).map(([name, { result, reason }]) => [name, reason ?? result]));

beforeAll(async () => {
  made = await lastingFolder();
  const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }] } }
  order:
    request:
      messages: [{ role: user, content: Order a lamp. }]
      tools: [{ type: function, function: { name: order, parameters: { type: object, properties: { item: { type: string } }, required: [item] } } }]
      tool_choice: { type: function, function: { name: order } }
`;
  await writeFiles(made, {
    'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-object-500] } }\nsuites: [shop.yaml]\n',
    'shop.yaml': suite,
  });
  // One run, and the same of earlier days.
  await chatspec(['run', '--out', 'reports/runs/night-5'], { cwd: made });
  const last = join(made, 'reports', 'runs', 'night-5');
  const { run } = JSON.parse(await readFile(join(last, 'summary.json'), 'utf8')) as { run: RunSummary['run'] };
  for (const [index, name] of nights.slice(0, -1).entries()) {
    for (const file of await readdir(last)) {
      const text = await readFile(join(last, file), 'utf8');
      const earlier = text
        .replaceAll(run.id, `run-${index}`)
        .replaceAll(run.started_at, `2026-01-0${index + 1}T00:00:00.000Z`);
      await writeFiles(made, { [`reports/runs/${name}/${file}`]: earlier });
    }
  }
  await chatspec(['report', 'reports/latest', '--format', 'html'], { cwd: made });
  // As an interruption leaves it.
  const summary = join(made, 'reports', 'runs', cut, 'summary.json');
  await writeFile(summary, (await readFile(summary, 'utf8')).replace('"complete": true', '"complete": false'));
});

beforeEach(async () => {
  cwd = await tempFolder();
  await cp(made, cwd, { recursive: true, verbatimSymlinks: true });
});

test('the newest whole runs stay whole, and of older ones what history and comparisons read', async () => {
  expect(resultsOf(await prune('--keep 2'))).toEqual({
    'night-5': 'recent',
    'night-4': 'recent',
    'night-3': 'thinned',
    'night-2': 'thinned',
    'night-1': 'thinned',
  });
  expect(await filesIn('night-1')).toEqual(thin);
  expect(await filesIn('night-4')).toEqual([...thin, ...gone].sort());
  expect(await chat('diff reports/runs/night-1 reports/latest')).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = await chat('report reports/latest --format issue');
  expect(stdout).toContain('since');
  const before = await readFile(runs('night-5', 'index.html'), 'utf8');
  expect(await chat('report reports/latest --format html')).toMatchObject({ code: 0 });
  const after = await readFile(runs('night-5', 'index.html'), 'utf8');
  expect(after.match(/href="\.\.\/night-\d\/index\.html"/g)).toEqual(
    before.match(/href="\.\.\/night-\d\/index\.html"/g),
  );
  expect(await chat('report reports/latest --site site')).toMatchObject({ code: 0 });
  expect(await readdir(join(cwd, 'site', 'runs'))).toHaveLength(5);
  expect(await chat('capabilities export reports/runs/night-1')).toMatchObject({ code: 0 });
  expect(await chat('report reports/runs/night-1')).toMatchObject({ code: 0 });
});

test('a run that was killed has nothing that would be left of it, so it stays and is named', async () => {
  for (const file of await filesIn('night-1')) if (file !== 'journal.jsonl') await rm(runs('night-1', file));
  const { stdout } = await chat('prune --keep 1');
  expect(stdout).toContain('kept reports/runs/night-1: it has no report');
  expect(await filesIn('night-1')).toEqual(['journal.jsonl']);
});

test('--dry-run says the same and removes nothing; a second time there is nothing to free', async () => {
  const before = await readdir(runs(), { recursive: true });
  const planned = await prune('--keep 1 --dry-run');
  expect(await readdir(runs(), { recursive: true })).toEqual(before);
  expect(await prune('--keep 1')).toEqual(planned);
  expect(planned['night-1']?.removed.toSorted()).toEqual(gone);
  expect(Object.values(await prune('--keep 1')).every(({ bytes }) => bytes === 0)).toBe(true);
});

test('no file of somebody else is touched: folders without a run, other files, links', async () => {
  await mkdir(runs('notes'));
  await writeFile(runs('notes', 'report.md'), 'mine');
  await writeFile(runs('night-1', 'notes.txt'), 'mine');
  await rm(runs('night-1', 'report.md'));
  await writeFile(join(cwd, 'elsewhere.md'), 'mine');
  await symlink(join(cwd, 'elsewhere.md'), runs('night-1', 'report.md'));
  await mkdir(join(cwd, 'other'));
  await cp(runs('night-2'), join(cwd, 'other', 'run'), { recursive: true });
  await symlink(join(cwd, 'other', 'run'), runs('linked'));
  await writeFile(runs('night-3', 'summary.json'), '{');
  const pruned = resultsOf(await prune('--keep 1'));
  expect(pruned).not.toHaveProperty('notes');
  expect(pruned).not.toHaveProperty('linked');
  expect(pruned).toMatchObject({ 'night-3': 'unreadable', 'night-1': 'thinned' });
  expect(await filesIn('night-1')).toEqual([...thin, 'notes.txt', 'report.md'].sort());
  expect(await readFile(runs('notes', 'report.md'), 'utf8')).toBe('mine');
  expect(await readFile(join(cwd, 'elsewhere.md'), 'utf8')).toBe('mine');
  expect(await readdir(join(cwd, 'other', 'run'))).toHaveLength(8);
});

test.each([
  'evidence reports/runs/night-1 shop/order',
  'rejudge reports/runs/night-1',
  'run --resume --out reports/runs/night-1',
  'report reports/runs/night-1 --format html',
])('of a thinned run, %s says that its requests and answers were removed', async (line) => {
  await prune('--keep 1');
  const page = await readFile(runs('night-1', 'index.html'), 'utf8');
  const { code, stdout, stderr } = await chat(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('night-1/journal.jsonl was removed');
  expect(stderr).toContain('chatspec prune');
  expect(await readFile(runs('night-1', 'index.html'), 'utf8')).toBe(page);
});

test.each([
  ['prune', 'prune needs --keep N'],
  ['prune --keep 0', '--keep must be a whole number of at least 1'],
  ['prune --keep 1 --config nowhere.yaml', 'nowhere.yaml'],
  ['prune --keep 1 --config one.yaml', 'names one folder'],
])('%s: a mistake that removes nothing', async (line, message) => {
  await writeFiles(cwd, {
    'one.yaml': 'targets: { demo: { base_url: simulator, models: [m] } }\nout: reports/runs/night-1\n',
  });
  const before = await readdir(runs(), { recursive: true });
  const { code, stderr } = await chat(line);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(await readdir(runs(), { recursive: true })).toEqual(before);
});
