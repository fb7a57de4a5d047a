import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../src/index.js';
import { keys, project, runnerOf, secret, service, shardKey, type Values } from '../support/ci-runner.js';
import { type Step, workflowIn } from '../support/ci-steps.js';
import { builtFolder, chatspec } from '../support/cli.js';

/** The steps of the workflows and of the action, run as they stand on the embedded service, with `gh` as a recorder. */

const models = 'sim-reference\nsim-object-400-thinking';

describe('conformance.yml', () => {
  test('plans, asks in shards, merges, reports and keeps the issue over three nights', async () => {
    const { jobs } = await workflowIn('.github/workflows/conformance.yml');
    const stepsOf = Object.values(jobs).flatMap(({ steps }) => steps);
    const runner = await runnerOf(stepsOf, {
      ...{ CHATSPEC_BASE_URL: await service(), CHATSPEC_MODELS: models, TAGS: 'smoke', PROFILE: 'standard' },
      ...{ OF: '2', STAMP: 'night-1' },
    });
    const { cwd } = runner;
    await symlink(builtFolder, join(cwd, 'dist'));
    await cp(join(project, 'conformance.yaml'), join(cwd, 'conformance.yaml'));

    expect(await runner.step('Validate config and suites')).toMatchObject({ code: 0 });
    expect(await runner.step('Say what the night will ask')).toMatchObject({ code: 0 });
    expect(await runner.summary()).toMatch(/```\n[^]*requests[^]*```/);
    const shards = { "vars.CHATSPEC_SHARDS || '1'": '2' };
    await runner.step('Choose the shards', { ...shards, "secrets.CHATSPEC_SHARD_KEY != ''": 'false' });
    expect(await runner.outputs()).toMatchObject({ of: '1', shards: '[1]' });
    await runner.step('Choose the shards', { ...shards, "secrets.CHATSPEC_SHARD_KEY != ''": 'true' });
    expect(await runner.outputs()).toMatchObject({ of: '2', shards: '[1,2]' });
    expect((await runner.outputs())['stamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);

    await mkdir(join(cwd, 'encrypted'));
    for (const shard of ['1', '2']) {
      const machine = { SHARD: shard };
      expect(await runner.step('Ask the models', keys, machine)).toMatchObject({ code: 0 });
      expect(await runner.step('Encrypt what merge needs', keys, machine)).toMatchObject({ code: 0 });
      const handed = await readFile(join(cwd, `shard-${shard}.tgz.enc`));
      expect(handed.subarray(0, 8).toString()).toBe('Salted__');
      await cp(join(cwd, `shard-${shard}.tgz.enc`), join(cwd, 'encrypted', `shard-${shard}.tgz.enc`));
    }
    // Another machine has only what was handed over.
    await rm(join(cwd, 'shards'), { recursive: true });
    expect(
      await runner.step('Decrypt the shards', { ...keys, 'secrets.CHATSPEC_SHARD_KEY': 'another' }),
    ).not.toMatchObject({ code: 0 });
    await rm(join(cwd, 'shards'), { recursive: true, force: true });
    expect(await runner.step('Decrypt the shards', keys)).toMatchObject({ code: 0 });
    expect((await runner.step('Merge the shards')).code).toBe(1);
    const report = JSON.parse(await readFile(join(cwd, 'reports/runs/night-1/report.json'), 'utf8')) as Report;
    expect(report.models.map(({ model }) => model).sort()).toEqual(models.split('\n').sort());

    // The next machine downloads the artifact, which holds no link.
    await rm(join(cwd, 'reports/latest'));
    await rename(join(cwd, 'reports/runs/night-1'), join(cwd, 'night'));
    expect((await runner.step('See whether anything was asked')).code).toBe(0);
    expect(await runner.outputs()).toMatchObject({ asked: 'true' });
    expect((await runner.step('Point to the newest run')).code).toBe(0);
    expect((await runner.step('Write the job summary')).code).toBe(0);
    expect(await runner.summary()).toMatch(/^# \S/m);
    expect(await runner.step('Write what the tracking issue says')).toMatchObject({ code: 0 });
    expect(await runner.step('Keep the tracking issue', keys)).toMatchObject({ code: 0 });
    const opened = await runner.calls();
    expect(opened).toContain('gh issue list --repo acme/models --app github-actions --label chatspec --state open');
    expect(opened).toMatch(
      /gh api repos\/acme\/models\/issues --input -\n\{\n {2}"title": "Conformance: First run: \d models?, nothing to compare with yet"/,
    );
    expect(await runner.step('Write the site')).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, 'site', 'index.html'))).toBe(true);
    expect((await runner.step('if [ -d reports/ ]')).code).toBe(0);
    expect((await runner.step('find reports/runs')).code).toBe(0);
    expect((await readdir(join(cwd, 'reports/runs/night-1'))).filter((name) => name.includes('journal'))).toEqual([]);

    // Accepted on a laptop; the next night is quiet, and closes the issue.
    await chatspec(['baseline', 'accept', 'reports/runs/night-1', '--config', 'conformance.yaml'], {
      cwd,
      env: { CHATSPEC_BASE_URL: 'http://127.0.0.1:9/v1', CHATSPEC_MODELS: models },
    });
    const night = { OF: '1', SHARD: '1', STAMP: 'night-2' };
    expect(await runner.step('Ask the models', keys, night)).toMatchObject({ code: 0 });
    const [started = ''] = (await readFile(join(cwd, 'reports/runs/night-2/journal.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(started), 'the night before is known').toHaveProperty('before');
    await runner.issue('12');
    expect(await runner.step('Write what the tracking issue says', keys, night)).toMatchObject({ code: 0 });
    expect(await runner.step('Keep the tracking issue', keys, night)).toMatchObject({ code: 0 });
    const closed = (await runner.calls()).slice(opened.length);
    expect(closed).toContain('gh api -X PATCH repos/acme/models/issues/12 --input -');
    expect(closed).toMatch(/"title": "Conformance: No changes: .* as before"/);
    expect(closed).toContain('"state": "closed"');
    expect(closed).toContain('gh api repos/acme/models/issues/12/comments --input -');
    const everything = [opened, closed, await runner.summary()].join();
    for (const hidden of [secret, shardKey]) expect(everything).not.toContain(hidden);
  });
});

describe('the starter workflow', () => {
  test('runs, reports and keeps the issue', async () => {
    const { jobs } = await workflowIn('fixtures/starter/workflow.yml');
    const runner = await runnerOf(Object.values(jobs).flatMap(({ steps }) => steps));
    await chatspec(['init'], { cwd: runner.cwd });
    expect(await runner.step('npx --no chatspec validate')).toMatchObject({ code: 0 });
    const { code } = await runner.step('Ask the models', keys);
    expect(await runner.outputs()).toEqual({ 'exit-code': String(code) });
    expect((await runner.step('cat reports/latest/report.md')).code).toBe(0);
    expect(await runner.summary()).toMatch(/^# \S/);
    expect((await runner.step('Write what the tracking issue says')).code).toBe(0);
    const { state } = JSON.parse(await readFile(join(runner.cwd, 'issue.json'), 'utf8')) as { state: string };
    expect(state).toBe(code === 0 ? 'closed' : 'open');
    expect(await runner.step('Keep the tracking issue', keys)).toMatchObject({ code: 0 });
    expect(await runner.calls()).toContain('gh issue list');
    expect((await runner.step('if [ -d reports/ ]')).code).toBe(0);
    expect((await runner.step('find reports/runs')).code).toBe(0);
  });
});

/** After exit code 2, reports/latest and its artifacts are missing, or those of the run before. */
describe('a run that was refused', () => {
  /** What a condition of a step or job is worth, of those that the workflows write. */
  function holds(condition: string | undefined, values: Values): boolean {
    if (condition === undefined) return true;
    return condition
      .replace(/[^]*\{\{|\}\}/g, '')
      .split('&&')
      .map((part) => part.trim())
      .every((part) => {
        if (part === 'always()') return true;
        const [, name = '', sign, wanted] = /^(\S+) (==|!=) '(.*)'$/.exec(part) ?? [];
        return ((values[name] ?? '') === wanted) === (sign === '==');
      });
  }
  const everySwitch = { 'vars.CHATSPEC_UPLOAD_JOURNAL': 'true', 'vars.CHATSPEC_PAGES': 'true', 'inputs.issue': 'true' };

  test.each(['fixtures/starter/workflow.yml', 'action.yml'])('writes and uploads nothing: %s', async (file) => {
    const parsed = await workflowIn(file);
    const isAction = file === 'action.yml';
    const steps = isAction
      ? (parsed as unknown as { readonly runs: { readonly steps: readonly Step[] } }).runs.steps
      : parsed.jobs['chatspec']!.steps;
    const runner = await runnerOf(steps);
    await writeFile(join(runner.cwd, 'chatspec.yaml'), 'targets: []\n');
    const inputs = { 'inputs.config': 'chatspec.yaml', 'inputs.args': '', 'inputs.api-key': '' };
    const values = { ...keys, ...inputs, 'inputs.api-key-env': 'CHATSPEC_API_KEY' };
    expect((await runner.step('Ask the models', values)).code).toBe(2);
    expect(await runner.outputs()).toEqual({ 'exit-code': '2' });
    for (const ran of ['2', '']) {
      const after = steps.slice(steps.findIndex(({ name }) => name === 'Ask the models') + 1);
      const done = after.filter((step) => holds(step.if, { ...everySwitch, 'steps.run.outputs.exit-code': ran }));
      expect(done.filter(({ uses = '' }) => uses.startsWith('actions/upload'))).toEqual([]);
      expect(done.filter(({ run = '' }) => /reports\/latest/.test(run))).toEqual([]);
      if (!isAction) {
        expect(holds(parsed.jobs['issue']!.if, { 'needs.chatspec.outputs.exit-code': ran })).toBe(false);
      }
    }
    const ended = { ...everySwitch, 'steps.run.outputs.exit-code': '1' };
    expect(
      steps.filter((step) => holds(step.if, ended) && step.uses?.startsWith('actions/upload')).length,
    ).toBeGreaterThan(0);
    if (!isAction) expect(holds(parsed.jobs['issue']!.if, { 'needs.chatspec.outputs.exit-code': '1' })).toBe(true);
  });

  test('conformance.yml: the jobs after it neither fail nor touch the issue', async () => {
    const { jobs } = await workflowIn('.github/workflows/conformance.yml');
    const { steps } = jobs['report']!;
    const runner = await runnerOf([...jobs['run']!.steps, ...jobs['merge']!.steps, ...steps], { SHARD: '1' });
    expect((await runner.step('See whether anything was asked')).code).toBe(0);
    expect(await runner.outputs()).not.toHaveProperty('asked');
    expect(await runner.summary()).toContain('Nothing was asked');
    // A name that is not there fails; a pattern without a match does not.
    const downloads = steps.filter(({ uses = '' }) => uses.startsWith('actions/download-artifact'));
    expect(downloads.map((step) => step.with)).toEqual([
      { pattern: 'conformance-report', 'merge-multiple': true, path: 'night' },
    ]);
    const after = steps.slice(steps.findIndex(({ id }) => id === 'night') + 1);
    expect(after.filter((step) => holds(step.if, everySwitch))).toEqual([]);
    for (const job of ['issue', 'pages']) expect(holds(jobs[job]!.if, everySwitch), job).toBe(false);
    for (const job of ['issue', 'pages']) {
      expect(holds(jobs[job]!.if, { ...everySwitch, 'needs.report.outputs.asked': 'true' }), job).toBe(true);
    }
    // A shard that was refused hands nothing over, and merge says what is missing.
    expect((await runner.step('Encrypt what merge needs', keys)).code).toBe(0);
    expect(await readdir(runner.cwd)).toEqual([]);
    const { code, output } = await runner.step('Decrypt the shards', keys);
    expect({ code, output }).toEqual({ code: 1, output: 'No shard asked anything; the jobs named run say why.\n' });
  });
});

describe('action.yml', () => {
  test('runs with the inputs of ten lines, gives the exit code, and hands the key to one step only', async () => {
    const { runs, inputs } = parse(await readFile(join(project, 'action.yml'), 'utf8')) as {
      readonly runs: { readonly steps: readonly Step[] };
      readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    };
    const given = {
      ...Object.fromEntries(Object.entries(inputs).map(([name, { default: value = '' }]) => [`inputs.${name}`, value])),
      ...keys,
    };
    const values = {
      ...given,
      'inputs.api-key': secret,
      'inputs.api-key-env': 'TEAM_KEY',
      'inputs.args': '--tags smoke --trials 1',
    };
    const runner = await runnerOf(runs.steps);
    const config = `targets: { t: { base_url: '${await service()}', api_key_env: TEAM_KEY, models: [sim-reference] } }\n`;
    await writeFile(join(runner.cwd, 'chatspec.yaml'), config);
    expect(await runner.step('Validate config and suites', values)).toMatchObject({ code: 0 });
    expect(await runner.step('Ask the models', values)).toMatchObject({ code: 0 });
    expect(await runner.outputs()).toEqual({ 'exit-code': '0' });
    expect((await runner.step('Write the job summary', values)).code).toBe(0);
    expect((await runner.step('Write what the tracking issue says', values)).code).toBe(0);
    await runner.issue('7');
    expect(await runner.step('Keep the tracking issue', values)).toMatchObject({ code: 0 });
    expect(await runner.calls()).toContain('"state": "closed"');
    for (const { env = {}, name } of runs.steps) {
      if (JSON.stringify(env).includes('inputs.api-key }')) expect(name).toBe('Ask the models');
    }
    const broken = { ...values, 'inputs.config': 'missing.yaml' };
    expect((await runner.step('Ask the models', broken)).code).toBe(2);
    expect((await runner.outputs())['exit-code']).toBe('2');
  });
});
