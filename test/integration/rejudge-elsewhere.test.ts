import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';

/** A recorded run meets a config that is not its own. */

let cwd: string;
const ask = (line: string) => chatspec(line.split(' '), { cwd });
const reportOf = (run: string) => readFile(join(cwd, run, 'report.json'), 'utf8');
const configOf = (targets: string) => `targets: { ${targets} }\nsuites: ['builtin:core']\n`;

beforeAll(async () => {
  cwd = await lastingFolder();
  await writeFiles(cwd, {
    'chatspec.yaml': configOf('demo: { base_url: simulator, models: [sim-reference, sim-object-500] }'),
    'target.yaml': configOf('demoo: { base_url: simulator, models: [sim-reference, sim-object-500] }'),
    'model.yaml': configOf('demo: { base_url: simulator, models: [sim-budget] }'),
    'half.yaml': configOf('demo: { base_url: simulator, models: [sim-reference, sim-object-50] }'),
    'suite.yaml':
      "targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: ['builtin:json-schema-test-suite']\n",
  });
  for (const run of ['night', 'other', 'killed']) await ask(`run --tags smoke --out ${run}`);
  await rm(join(cwd, 'killed/report.json'));
  await symlink(join(cwd, 'night'), join(cwd, 'link'));
});

describe('rejudge is refused, and the run stays as it is', () => {
  test.each([
    ['night --config target.yaml', ['demo/sim-reference', 'demoo/sim-reference']],
    ['night --config model.yaml', ['demo/sim-reference', 'demo/sim-budget']],
    ['killed --config target.yaml', ['demo/sim-reference', 'demoo/sim-reference']],
    ['night --config suite.yaml', ['matches nothing in the whole plan']],
    ['night --out night', ['already holds a run']],
    ['link --out night', ['already holds a run']],
    ['night --out link', ['already holds a run']],
    ['night --out other', ['already holds a run']],
  ])('%s', async (line, said) => {
    const before = await Promise.all(['night', 'other'].map(reportOf));
    const { code, stdout, stderr } = await ask(`rejudge ${line}`);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    for (const text of said) expect(stderr).toContain(text);
    expect(await Promise.all(['night', 'other'].map(reportOf))).toEqual(before);
  });
});

test('a model that the config lacks is named, with what was probably meant', async () => {
  const { code, stdout, stderr } = await ask('rejudge night --config half.yaml --out half --fail-on never');
  expect({ code }, stderr).toEqual({ code: 0 });
  expect(stderr).toContain('the config has no model "demo/sim-object-500"');
  expect(stderr).toContain('did you mean "demo/sim-object-50"?');
  expect(stdout).toContain('First run: 1 model');
  expect((await ask('rejudge night --out whole')).stderr).not.toContain('has no model');
});
