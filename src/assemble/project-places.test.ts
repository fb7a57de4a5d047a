import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readProject } from './project.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatspec-places-'));
  await mkdir(join(folder, 'suites'));
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'taken'), '');
  vi.stubEnv('HOME', join(folder, 'home'));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

describe('what a config names and is not there', () => {
  test.each([
    ['a built-in set that does not exist', "suites: ['builtin:cor']", 10, /no built-in suites called "cor"/],
    ['a pattern without a file', "suites: ['builtin:core', 'suits/*.yaml']", 26, /suits\/\*\.yaml matches no file/],
    ['a folder of suites', "suites: ['suites']", 10, /suites is a folder/],
    ['a suite that does not exist', 'suites: [mine.yaml]', 10, /there is no file mine\.yaml/],
    ['a file as out', 'out: taken', 6, /no run can be written here: .*\/taken is a file/],
    ['a file above out', 'out: taken/runs/{stamp}', 6, /no run can be written here: .*\/taken is a file/],
    ['the root folder as out', 'out: /', 6, /no run can be written here: \/ is the root folder/],
    ['the home folder as out', 'out: home', 6, /no run can be written here: .*\/home is the home folder/],
    ['a folder as the baseline', 'baseline: suites', 11, /the baseline cannot be read: this is a folder/],
  ])('is shown in the line that names it: %s', async (_name, line, column, message) => {
    const file = join(folder, 'chatspec.yaml');
    await writeFile(file, `targets: { service: { base_url: simulator, models: [sim-reference] } }\n${line}\n`);
    const { problems } = await readProject(file);
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ place: { file, line: 2, column } });
    expect(errors[0]?.message).toMatch(message);
    expect(errors[0]?.frame).toContain(`> 2 | ${line}`);
  });
});

test.each(['reports/runs/{stamp}', 'home/{stamp}', 'suites', '{stamp}', 'taken-{stamp}'])(
  'a folder in which runs can stand is nothing to tell of: out: %s',
  async (out) => {
    const file = join(folder, 'chatspec.yaml');
    await writeFile(file, `targets: { service: { base_url: simulator, models: [sim-reference] } }\nout: '${out}'\n`);
    expect((await readProject(file)).problems).toEqual([]);
  },
);
