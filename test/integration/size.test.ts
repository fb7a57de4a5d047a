import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

const config = `targets: { demo: { base_url: simulator, models: [sim-reference, sim-small-requests] } }
suites: ['builtin:extended']
baseline: accepted.yaml
`;
let folder: string;
const run = (...args: readonly string[]) => chatspec(args, { cwd: folder });
const night = async (out: string, ...more: readonly string[]): Promise<Report> => {
  const { code } = await run('run', '--suites', 'size', '--out', out, '--fail-on', 'never', ...more);
  expect(code).toBe(0);
  return JSON.parse(await readFile(join(folder, out, 'report.json'), 'utf8')) as Report;
};
let first: Report;
beforeAll(async () => {
  folder = await lastingFolder();
  await writeFiles(folder, { 'chatspec.yaml': config });
  first = await night('first');
});

const conditions = ({ capabilities }: Report, model: string): Record<string, string | null> =>
  Object.fromEntries(
    capabilities.filter((one) => one.model === `demo/${model}`).map((one) => [one.capability, one.condition]),
  );

test('a model without limits passes at the largest value of each', () => {
  const all = ['size.fields', 'size.depth', 'size.enum', 'size.tools', 'size.prompt'];
  expect(conditions(first, 'sim-reference')).toEqual(Object.fromEntries(all.map((name) => [name, null])));
});

test('the largest value that passes is found, within an eighth', () => {
  const found = conditions(first, 'sim-small-requests');
  const bounds = Object.entries(found).map(([name, condition]) => [
    name,
    Number(/ <= (\d+)$/.exec(condition ?? '')?.[1]),
  ]);
  const {
    'size.fields': fields,
    'size.enum': values,
    'size.tools': tools,
    'size.prompt': words,
    ...others
  } = Object.fromEntries(bounds) as Record<string, number>;
  // A field takes some 40 characters of the 8,000, a value 12 to 14, a function 190, and a word 6.
  expect([fields! > 130 && fields! < 210, values! > 480 && values! < 640, tools! > 30 && tools! < 45]).toEqual([
    true,
    true,
    true,
  ]);
  expect(words! > 1050 && words! < 1320).toBe(true);
  expect(Object.keys(others)).toEqual(['size.depth']);
});

test('what it was is known, and another one is found the next night', async () => {
  expect((await run('baseline', 'accept', 'first')).code).toBe(0);
  const same = await night('same');
  expect(same.cells.filter(({ standing }) => standing !== 'as_expected')).toEqual([]);
  // As if it had passed up to the top of the enum, and fields up to 114 only.
  const accepted = await readFile(join(folder, 'accepted.yaml'), 'utf8');
  const before = (key: string, value: number) => (text: string) =>
    text.replace(new RegExp(`(key: size/${key}@demo/sim-small-requests, value: )\\d+`), `$1${value}`);
  await writeFiles(folder, { 'accepted.yaml': before('fields', 114)(before('enum', 1024)(accepted)) });
  const other = await night('other');
  const moved = other.cells.filter(({ standing }) => standing !== 'as_expected');
  expect(moved.map(({ key, standing, threshold }) => [key.split('@')[0], standing, threshold?.value])).toEqual([
    ['size/fields', 'improvement', 182],
    ['size/enum', 'regression', 582],
  ]);
});
