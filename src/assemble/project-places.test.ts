import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProject } from './project.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatspec-places-'));
  await mkdir(join(folder, 'suites'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('what a config names and is not there', () => {
  test.each([
    ['a built-in set that does not exist', "suites: ['builtin:cor']", 10, /no built-in suites called "cor"/],
    ['a pattern without a file', "suites: ['builtin:core', 'suits/*.yaml']", 26, /suits\/\*\.yaml matches no file/],
    ['a folder of suites', "suites: ['suites']", 10, /suites is a folder/],
    ['a suite that does not exist', 'suites: [mine.yaml]', 10, /there is no file mine\.yaml/],
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
