import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** No command replaces the files of a run that is not its own. */

let cwd: string;
const ask = (line: string) => chatspec(line.split(' '), { cwd });
const filesOf = async (run: string): Promise<Readonly<Record<string, string>>> => {
  const entries = await readdir(join(cwd, run), { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(cwd, run, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
};

beforeAll(async () => {
  cwd = await lastingFolder();
  const targets = { demo: { base_url: 'simulator', models: ['sim-reference'] } };
  await writeFiles(cwd, { 'chatspec.yaml': JSON.stringify({ targets }), 'mine/request.json': '{}', 's.json': schema });
  for (const [index, run] of ['one', 'two'].entries()) {
    await ask(`run --only quick-start/* --seed ${index} --out reports/runs/${run}`);
  }
  await cp(join(cwd, 'reports/runs/one'), join(cwd, 'thin'), { recursive: true });
  for (const file of ['journal.jsonl', 'failures.jsonl', 'report.md', 'junit.xml']) {
    await rm(join(cwd, 'thin', file));
  }
  await cp(join(cwd, 'thin'), join(cwd, 'killed'), { recursive: true });
  for (const file of ['report.json', 'summary.json']) await rm(join(cwd, 'killed', file));
  await writeFiles(cwd, { 'killed/journal.jsonl': '' });
});

const schema = JSON.stringify({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });

describe('a folder that holds a run is refused', () => {
  test.each([
    ['report reports/runs/two --site reports/runs/two', 'reports/runs/two', '--site'],
    ['report reports/latest --site reports/runs/two', 'reports/runs/two', '--site'],
    ['report reports/runs/two --site reports/runs/one', 'reports/runs/one', '--site'],
    ['report reports/runs/two --site thin', 'thin', '--site'],
    ['report reports/runs/two --site killed', 'killed', '--site'],
    // The site would write the page of each run where the run is.
    ['report reports/runs/two --site reports', 'reports/runs/one', '--site'],
    ['report reports/runs/two --format html,md --out reports/runs/one', 'reports/runs/one', '--out'],
    ['report reports/runs/two --format json --out thin', 'thin', '--out'],
    ['report reports/runs/two --format issue --out reports/runs/one', 'reports/runs/one', '--out'],
    ['rejudge reports/runs/two --out thin', 'thin', '--out'],
    ['run --only quick-start/plain --out thin', 'thin', '--out'],
  ])('%s', async (line, kept, option) => {
    const before = await filesOf(kept);
    const { code, stdout, stderr } = await ask(line);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`${kept} (already )?holds a`));
    expect(stderr).toContain(option);
    expect(await filesOf(kept)).toEqual(before);
  });
});

test('a check does not replace a request.json that was there before', async () => {
  const { code, stderr } = await ask('check --model sim-reference --schema s.json --prompt Count --out mine');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/mine\/request\.json exists already[^]*--out/) as string,
  });
  expect(await filesOf('mine')).toEqual({ 'request.json': '{}' });
});

test.each([
  ['a site is written over itself', 'report reports/runs/two --site site'],
  ['what was rendered elsewhere is rendered there again', 'report reports/runs/two --format html,json,md --out public'],
  ['and that of another run', 'report reports/runs/one --format html,json,md --out public'],
  ['a run is rendered again in its own folder', 'report reports/latest --format html,md'],
  ['also where its name is given', 'report reports/latest --format html,md --out reports/runs/two'],
  ['a run is judged again', 'rejudge reports/runs/two'],
])('%s', async (_what, line) => {
  for (const time of ['first', 'again']) expect((await ask(line)).code, time).toBe(0);
});
