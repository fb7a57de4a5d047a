import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostileProject, hostileProject, runFile } from '../support/hostile-project.js';

const text = '<n>'.repeat(10_000);
let project: HostileProject;
beforeAll(async () => {
  project = await hostileProject({ text, called: text.repeat(170), models: ['m'] });
});
afterAll(() => project.close());

test.each([
  ['index.html', 1_000_000],
  ['report.md', 100_000],
  ['junit.xml', 200_000],
  ['ctrf.json', 300_000],
  ['openmetrics.txt', 50_000],
  // Half of it are titles of the suite.
  ['report.json', 1_200_000],
  ['failures.jsonl', 500_000],
])('%s stays small when names of functions have 5 MB, and every other field 30 kB', async (name, most) => {
  expect(project.run.code, project.run.stderr.slice(0, 2000)).not.toBe(2);
  expect((await stat(runFile(project, name))).size).toBeLessThan(most);
});

test('what is printed stays small', async () => {
  expect(project.run.stdout.length).toBeLessThan(50_000);
  expect(project.run.stderr.length).toBeLessThan(20_000);
  const doctor = await project.chatspec('doctor');
  expect(doctor.stdout.length).toBeLessThan(20_000);
  expect(doctor.stdout).toContain('characters more');
  const diff = await project.chatspec('diff', 'out/run', '--models', 'demo/m', 'demo/locked', '--markdown');
  expect(diff.stdout.length).toBeLessThan(50_000);
});
