import { readFile, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keys, runnerOf, secret, service } from '../support/ci-runner.js';
import { runLines, workflowIn } from '../support/ci-steps.js';
import { chatspec } from '../support/cli.js';

/** What the steps of upgrade-gate.yml ask and decide, by what a pull request changes in the config and the suites. */

type Files = Readonly<Record<string, string>>;

/** Nothing listens there: whoever asks it measures nothing. */
const nowhere = 'http://127.0.0.1:9/v1';
const values = {
  ...keys,
  "vars.CHATSPEC_GATE_TAGS || 'nightly'": 'nightly',
  'vars.CHATSPEC_CLIENT': '',
};
const steps = [
  ...['Validate config and suites', 'Find the models that changed', 'Ask the models', 'Compare with what is accepted'],
  ...['Ask again what could be chance', 'Write the comment'],
];

const target = (address: string, models: string): string =>
  `{ base_url: '${address}', api_key_env: CHATSPEC_API_KEY, limits: { retries: 0 }, models: ${models} }`;
const configOf = (targets: Files, more = ''): string =>
  `targets:\n${Object.entries(targets)
    .map(([name, text]) => `  ${name}: ${text}\n`)
    .join('')}suites: ['suites/*.yaml']\nbaseline: baseline.yaml\n${more}`;
const probe = (more = ''): string =>
  `{ tags: [nightly], request: { messages: [{ role: user, content: Say hello. }], max_tokens: 64 }${more} }`;
const suiteOf = (probes: Files): string =>
  `suite: own\nprobes:\n${Object.entries(probes)
    .map(([name, text]) => `  ${name}: ${text}\n`)
    .join('')}`;
const failing = probe(", expect: { rules: [{ id: never, assert: 'false', message: nothing passes }] }");

interface Gate {
  readonly code: number | null;
  readonly comment: string;
  /** Of each run that the gate made: the models that it asked. */
  readonly asked: readonly string[];
  readonly requests: number;
}

/** Runs the gate over a pull request that makes `after` of `before`, whose results are accepted where `accepted` says so. */
async function gate(before: Files, after: Files, { accepted = true } = {}): Promise<Gate> {
  const { jobs } = await workflowIn('.github/workflows/upgrade-gate.yml');
  const { cwd, step } = await runnerOf(
    Object.values(jobs).flatMap((job) => job.steps),
    { CONFIG: 'chatspec.yaml' },
  );
  const git = { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd } };
  const write = async (files: Files): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
  };
  const commit = async (files: Files): Promise<void> => {
    await write(files);
    const lines = 'git add -A && git -c user.name=a -c user.email=a@example.com commit --allow-empty -qm x';
    expect(await runLines(`git init -q . && ${lines}`, git)).toMatchObject({ code: 0 });
  };
  await write({ '.gitignore': 'gate/\nreports/\ncomment.json\nbefore.chatspec.yaml\n', ...before });
  if (accepted) {
    const env = { CHATSPEC_API_KEY: secret };
    await chatspec(['run', '--out', 'reports/runs/known', '--quiet'], { cwd, env });
    expect(await chatspec(['baseline', 'accept', 'reports/runs/known'], { cwd, env })).toMatchObject({ code: 0 });
  }
  await commit({});
  await commit(after);
  for (const name of steps) expect(await step(name, values), name).toMatchObject({ code: 0 });
  const runs = await Promise.all(['new', 'old'].map((name) => reportIn(join(cwd, 'gate', name))));
  const comment = await readFile(join(cwd, 'gate/comment.md'), 'utf8');
  expect(comment).not.toContain(secret);
  return {
    code: (await step('Decide', values)).code,
    comment,
    asked: runs.flatMap((report) => report?.models.map(({ id }) => id) ?? []),
    requests: runs.reduce((sum, report) => sum + (report?.run.requests ?? 0), 0),
  };
}

interface Asked {
  readonly models: readonly { readonly id: string }[];
  readonly run: { readonly requests: number };
}

async function reportIn(folder: string): Promise<Asked | null> {
  const text = await readFile(join(folder, 'report.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Asked);
}

const one = { 'suites/own.yaml': suiteOf({ hello: probe() }) };
const known = `{ id: sim-reference, request: { seed: 1 } }`;
const other = 'sim-object-500';

describe('upgrade-gate.yml asks nothing where nothing changes that is sent', () => {
  const before = {
    ...one,
    'chatspec.yaml': configOf({ t: target(nowhere, `[{ id: m, request: { seed: 1, n: 1 } }]`) }),
  };
  const written = (models: string, more = '') => configOf({ t: target(nowhere, models) }, more);
  test.each<[string, Files]>([
    [
      'a price',
      { 'chatspec.yaml': written(`[{ id: m, request: { seed: 1, n: 1 }, price: { prompt: 1, completion: 2 } }]`) },
    ],
    [
      'a comment, quotes and a budget',
      {
        'chatspec.yaml': `# new\n${written(`[{ 'id': "m", request: { seed: 1, n: 1 } }]`, 'budget: { requests: 9 }\n')}`,
      },
    ],
    ['the order of keys', { 'chatspec.yaml': written(`[{ request: { n: 1, seed: 1 }, id: m }]`) }],
    ['a comment in a suite', { 'suites/own.yaml': `# new\n${one['suites/own.yaml']}` }],
    ['nothing', {}],
  ])('%s', async (_, after) => {
    const { code, comment, asked } = await gate(before, after, { accepted: false });
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
    expect(comment).toContain(
      'neither the config nor the suites change what is sent, where it is sent to, or what passes',
    );
  });

  test('a model taken out, which it names', async () => {
    const both = { ...one, 'chatspec.yaml': configOf({ t: target(nowhere, '[a, b]') }) };
    const { code, comment, asked } = await gate(
      both,
      { 'chatspec.yaml': configOf({ t: target(nowhere, '[b]') }) },
      { accepted: false },
    );
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
    expect(comment).toContain('Taken out of the config: `t/a`.');
    expect(comment).toContain('Of the models that stay, neither the config nor the suites');
  });
});

describe('upgrade-gate.yml asks the models of which something changes, and compares them with what is accepted', () => {
  test('another address, with a service that answers as accepted; nobody else is asked', async () => {
    const [old, moved] = [await service(), await service()];
    const before = {
      ...one,
      'chatspec.yaml': configOf({ t: target(old, '[sim-reference]'), u: target(old, `[${other}]`) }),
    };
    const after = configOf({ t: target(moved, '[sim-reference]'), u: target(old, `[${other}]`) });
    const { code, comment, asked, requests } = await gate(before, { 'chatspec.yaml': after });
    expect({ code, asked }).toEqual({ code: 0, asked: ['t/sim-reference'] });
    expect(requests).toBeLessThan(4);
    expect(comment).toContain('where it is sent to, or what passes: `t/sim-reference`.');
  });

  test('another address, at which nobody answers', async () => {
    const before = { ...one, 'chatspec.yaml': configOf({ t: target(await service(), '[sim-reference]') }) };
    const { code, comment } = await gate(before, {
      'chatspec.yaml': configOf({ t: target(nowhere, '[sim-reference]') }),
    });
    expect(code).toBe(1);
    expect(comment.match(/Nothing was measured/g)).toHaveLength(1);
  });

  test('a request with which something accepted no longer passes', async () => {
    const address = await service();
    const before = { ...one, 'chatspec.yaml': configOf({ t: target(address, `[${known}, ${other}]`) }) };
    const after = configOf({ t: target(address, `[{ id: sim-reference, request: { max_tokens: 1 } }, ${other}]`) });
    const { code, comment, asked } = await gate(before, { 'chatspec.yaml': after });
    expect({ code, asked }).toEqual({ code: 1, asked: ['t/sim-reference'] });
    expect(comment).toContain('This deviates from what is accepted.');
    expect(comment).toContain('sim-reference');
  });

  test('a suite that the config names anew', async () => {
    const address = await service();
    const before = { ...one, 'chatspec.yaml': configOf({ t: target(address, '[sim-reference]') }) };
    const after = {
      'more/bad.yaml': `suite: more\nprobes: { bad: ${failing} }\n`,
      'chatspec.yaml': configOf({ t: target(address, '[sim-reference]') }).replace(
        `['suites/*.yaml']`,
        `['suites/*.yaml', more/bad.yaml]`,
      ),
    };
    const { code, asked } = await gate(before, after);
    expect({ code, asked }).toEqual({ code: 1, asked: ['t/sim-reference'] });
  });

  test('all of them, where the config is new', async () => {
    const config = configOf({ t: target(await service(), '[sim-reference]') });
    const { code, comment, asked } = await gate(
      { 'README.md': 'x' },
      { ...one, 'chatspec.yaml': config },
      { accepted: false },
    );
    expect({ code, asked }).toEqual({ code: 0, asked: ['t/sim-reference'] });
    expect(comment).toContain('`t/sim-reference`');
  });
});

describe('upgrade-gate.yml and a probe that nothing passes', () => {
  const bad = { 'suites/own.yaml': suiteOf({ hello: probe(), bad: failing }) };
  test('is not let through, and the comment says why', async () => {
    const before = { ...one, 'chatspec.yaml': configOf({ t: target(await service(), '[sim-reference]') }) };
    for (const accepted of [true, false]) {
      const { code, comment, asked } = await gate(before, bad, { accepted });
      expect({ code, asked }).toEqual({ code: 1, asked: ['t/sim-reference'] });
      expect(comment).toContain('This deviates from what is accepted.');
      expect(comment).toContain('sim-reference');
      expect(comment).not.toContain('fail-on never');
    }
  });

  test.each([
    ['beside another that stays', '[sim-reference, sim-budget]'],
    ['in place of it', '[sim-budget]'],
  ])('is not let through with a new model %s', async (_, models) => {
    const address = await service();
    const before = { ...one, 'chatspec.yaml': configOf({ t: target(address, '[sim-reference]') }) };
    const { code, comment } = await gate(before, {
      ...bad,
      'chatspec.yaml': configOf({ t: target(address, models) }),
    });
    expect(code).toBe(1);
    expect(comment).toContain('This deviates from what is accepted.');
    expect(comment).toMatch(/bad/);
  });

  test('is let through where it is known to fail, and another probe is new', async () => {
    const before = { ...bad, 'chatspec.yaml': configOf({ t: target(await service(), '[sim-reference]') }) };
    const more = suiteOf({ hello: probe(), bad: failing, again: probe() });
    const { code, comment, asked } = await gate(before, { 'suites/own.yaml': more });
    expect({ code, asked }).toEqual({ code: 0, asked: ['t/sim-reference'] });
    expect(comment).not.toContain('This deviates');
  });
});
