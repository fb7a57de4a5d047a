import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

// Models of which half of all answers come from another backend, and half of all leave the schema.
const config =
  'targets: { demo: { base_url: simulator, models: [sim-two-backends, sim-two-backends-alike, sim-unsteady] } }\n';
let report: Report;
beforeAll(async () => {
  const folder = await lastingFolder();
  await writeFiles(folder, { 'chatspec.yaml': config });
  const run = ['run', '--only', 'json-schema/simple', '--trials', '24', '--out', 'out', '--fail-on', 'never'];
  expect((await chatspec(run, { cwd: folder })).code).toBe(0);
  expect((await chatspec(['rejudge', 'out', '--out', 'again', '--fail-on', 'never'], { cwd: folder })).code).toBe(0);
  report = JSON.parse(await readFile(join(folder, 'out/report.json'), 'utf8')) as Report;
  const again = JSON.parse(await readFile(join(folder, 'again/report.json'), 'utf8')) as Report;
  expect(again.capabilities).toEqual(report.capabilities);
});

const of = <One extends { readonly model: string }>(list: readonly One[], model: string): One =>
  list.find((one) => one.model === `demo/${model}`)!;

test('failures that follow the backend are said to', () => {
  const { verdict, condition } = of(report.capabilities, 'sim-two-backends');
  expect({ verdict, condition }).toEqual({
    verdict: 'flaky',
    condition: 'only with system_fingerprint=fp_simulator',
  });
  const { served_by, trials } = of(report.cells, 'sim-two-backends');
  expect(served_by?.values.map(({ value, passed, total }) => [value, passed === total, passed])).toEqual(
    expect.arrayContaining([
      ['fp_simulator', true, trials.passed],
      ['fp_other', false, 0],
    ]),
  );
});

test.each(['sim-two-backends-alike', 'sim-unsteady'])('those of %s follow nobody', (model) => {
  const { verdict, condition } = of(report.capabilities, model);
  expect({ verdict, condition }).toEqual({ verdict: 'flaky', condition: null });
  expect(of(report.cells, model).served_by).toBeUndefined();
});
