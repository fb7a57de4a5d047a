import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** A report.json that cannot be read stands beside a whole journal, from which it can be made again. */

let cwd: string;
let whole: string;
const ask = (line: string) => chatspec(line.split(' '), { cwd });
const report = 'reports/runs/night/report.json';
/** What the next run reads. */
const summary = 'reports/runs/night/summary.json';
const reportOf = async (folder: string): Promise<unknown> =>
  (JSON.parse(await readFile(join(cwd, folder, 'report.json'), 'utf8')) as { readonly cells: unknown }).cells;

const damages = {
  'cut within a text': () => whole.slice(0, whole.indexOf('quick-start/plain') + 5),
  'cut after a member': () => whole.slice(0, whole.indexOf(',\n') + 1),
  empty: () => '',
  'half of another file': () => whole.replace('"cells"', '"cells": nothing, "was"'),
  'of another format': () => whole.replace('chatspec-report/1', 'chatspec-report/9'),
  'no object': () => '[]',
  'without a member': () => whole.replace('"cells"', '"calls"'),
  'with a member of another type': () => whole.replace(/"verdict": "pass"/, '"verdict": 1'),
} satisfies Readonly<Record<string, () => string>>;

const said: Readonly<Record<keyof typeof damages, RegExp>> = {
  'cut within a text': /it is not JSON: Unterminated string \(line \d+, column \d+\)/,
  'cut after a member': /it is not JSON: .+ \(line 2, column \d+\)/,
  empty: /the file is empty/,
  'half of another file': /it is not JSON: .+ \(line \d+, column \d+\)/,
  'of another format': /its format is "chatspec-report\/9", not "chatspec-report\/1"/,
  'no object': /it holds no JSON object/,
  'without a member': /"cells" is missing/,
  'with a member of another type': /at cells\.\d+\.verdict/,
};

const verbs = [
  'report reports/latest',
  'report reports/latest --site site',
  'evidence reports/latest quick-start/*',
  'diff reports/latest other',
  'diff other reports/latest',
  'baseline accept reports/latest',
  'capabilities export reports/latest',
  'run --last-failed',
  'shapes check --against reports/latest -- true',
];

beforeAll(async () => {
  cwd = await lastingFolder();
  const targets = { demo: { base_url: 'simulator', models: ['sim-reference', 'sim-object-500'] } };
  await writeFiles(cwd, {
    'chatspec.yaml': JSON.stringify({ targets }),
    'shapes.lock.yaml': 'format: chatspec-shapes/1\nshapes: []\n',
  });
  await ask('run --only quick-start/plain --out other');
  await ask('run --only quick-start/* --out reports/runs/night');
  whole = await readFile(join(cwd, report), 'utf8');
  await cp(join(cwd, 'reports/runs/night'), join(cwd, 'kept'), { recursive: true });
});

beforeEach(async () => {
  await rm(join(cwd, 'reports/runs/night-rejudged'), { recursive: true, force: true });
  await cp(join(cwd, 'kept/summary.json'), join(cwd, summary));
});

describe.each(Object.keys(damages) as (keyof typeof damages)[])('a report that is %s', (damage) => {
  beforeEach(() => writeFiles(cwd, { [report]: damages[damage]() }));

  test.each(verbs)('%s says what is wrong and how to make it again', async (line) => {
    const { code, stdout, stderr } = await ask(line);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/cannot read \S*(night|latest)\/report\.json/);
    expect(stderr).toMatch(said[damage]);
    expect(stderr).toMatch(/chatspec rejudge \S*(night|latest) /);
  });

  test('rejudge makes it again, and says what was wrong with the old one', async () => {
    const { code, stderr } = await ask('rejudge reports/latest --fail-on never');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('night/report.json');
    expect(stderr).toMatch(said[damage]);
    const keys = (cells: unknown) => (cells as readonly { readonly key: string }[]).map(({ key }) => key);
    expect(keys(await reportOf('reports/runs/night-rejudged'))).toEqual(keys(await reportOf('kept')));
    expect((await ask('report reports/runs/night-rejudged')).code).toBe(0);
  });
});

test('a run says that it does not know the one before it', async () => {
  await writeFiles(cwd, { [summary]: '{' });
  const { code, stderr } = await ask('run --only quick-start/plain --out next');
  expect(code).toBe(0);
  expect(stderr).toMatch(/warning: \S*(?:night|latest) cannot be read/);
});

test('a site says which run has no page', async () => {
  await ask('run --only quick-start/plain --out reports/runs/today');
  await writeFiles(cwd, { [report]: damages['cut within a text']() });
  const { code, stderr } = await ask('report reports/latest --site site');
  expect(code).toBe(0);
  expect(stderr).toMatch(/warning: cannot read \S*(?:night|latest)\/report\.json: it is not JSON/);
  expect(stderr).toContain('site/index.html');
});

test('without a journal, nothing is promised', async () => {
  await writeFiles(cwd, { 'alone/report.json': damages['cut within a text']() });
  const { code, stderr } = await ask('report alone');
  expect(code).toBe(2);
  expect(stderr).toMatch(said['cut within a text']);
  expect(stderr).not.toContain('rejudge');
});
