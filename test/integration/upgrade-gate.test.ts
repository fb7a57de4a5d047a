import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keys, runnerOf, secret, service } from '../support/ci-runner.js';
import { runLines, workflowIn } from '../support/ci-steps.js';
import { chatspec, writeFiles } from '../support/cli.js';

/** What the steps of upgrade-gate.yml ask and decide, by what a pull request changes. */

type Files = Readonly<Record<string, string>>;

/** Nothing listens there: whoever asks it measures nothing. */
const nowhere = 'http://127.0.0.1:9/v1';
const values = {
  ...keys,
  'needs.shapes.result': 'success',
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

async function gateRunner() {
  const { jobs } = await workflowIn('.github/workflows/upgrade-gate.yml');
  return runnerOf(
    Object.values(jobs).flatMap((job) => job.steps),
    { CONFIG: 'chatspec.yaml' },
  );
}

async function commitIn(cwd: string, files: Files = {}): Promise<void> {
  await writeFiles(cwd, files);
  const lines = 'git add -A && git -c user.name=a -c user.email=a@example.com commit --allow-empty -qm x';
  const git = { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd } };
  expect(await runLines(`git init -q . && ${lines}`, git)).toMatchObject({ code: 0 });
}

/**
 * Runs the gate over a pull request that makes `after` of `before`, whose results are accepted where `accepted` says
 * so.
 */
async function gate(before: Files, after: Files, { accepted = true } = {}): Promise<Gate> {
  const { cwd, step } = await gateRunner();
  await writeFiles(cwd, { '.gitignore': 'gate/\nreports/\ncomment.json\nbefore.chatspec.yaml\n', ...before });
  if (accepted) {
    const env = { CHATSPEC_API_KEY: secret };
    await chatspec(['run', '--out', 'reports/runs/known', '--quiet'], { cwd, env });
    expect(await chatspec(['baseline', 'accept', 'reports/runs/known'], { cwd, env })).toMatchObject({ code: 0 });
  }
  await commitIn(cwd);
  await commitIn(cwd, after);
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
const bad = { 'suites/own.yaml': suiteOf({ hello: probe(), bad: failing }) };

describe('the config and the suites', () => {
  test('where nothing changes that is sent, no model is asked, and one that was taken out is named', async () => {
    const written = (models: string, more = '') => configOf({ t: target(nowhere, models) }, more);
    const before = { ...one, 'chatspec.yaml': written(`[{ id: m, request: { seed: 1, n: 1 } }, gone]`) };
    const priced = `[{ request: { n: 1, seed: 1 }, 'id': "m", price: { prompt: 1, completion: 2 } }]`;
    const after = {
      'suites/own.yaml': `# new\n${one['suites/own.yaml']}`,
      'chatspec.yaml': `# new\n${written(priced, 'budget: { requests: 9 }\n')}`,
    };
    const { code, comment, asked } = await gate(before, after, { accepted: false });
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
    expect(comment).toContain('Taken out of the config: `t/gone`.');
    expect(comment).toContain(
      'neither the config nor the suites change what is sent, where it is sent to, or what passes',
    );
  });

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

  test('a request with which something accepted no longer passes', async () => {
    const address = await service();
    const before = { ...one, 'chatspec.yaml': configOf({ t: target(address, `[${known}, ${other}]`) }) };
    const after = configOf({ t: target(address, `[{ id: sim-reference, request: { max_tokens: 1 } }, ${other}]`) });
    const { code, comment, asked } = await gate(before, { 'chatspec.yaml': after });
    expect({ code, asked }).toEqual({ code: 1, asked: ['t/sim-reference'] });
    expect(comment).toContain('This deviates from what is accepted.');
  });

  test('all models, where the config is new', async () => {
    const config = configOf({ t: target(await service(), '[sim-reference]') });
    const files = { ...one, 'chatspec.yaml': config };
    const { code, asked } = await gate({ 'README.md': 'x' }, files, { accepted: false });
    expect({ code, asked }).toEqual({ code: 0, asked: ['t/sim-reference'] });
  });

  test('a probe that nothing passes, in a suite that the config names anew', async () => {
    const config = configOf({ t: target(await service(), '[sim-reference]') });
    const { code, comment, asked } = await gate(
      { ...one, 'chatspec.yaml': config },
      {
        'more/bad.yaml': `suite: more\nprobes: { bad: ${failing} }\n`,
        'chatspec.yaml': config.replace(`['suites/*.yaml']`, `['suites/*.yaml', more/bad.yaml]`),
      },
    );
    expect({ code, asked }).toEqual({ code: 1, asked: ['t/sim-reference'] });
    expect(comment).toContain('This deviates from what is accepted.');
    expect(comment).not.toContain('fail-on never');
  });

  test('such a probe, known to fail, and another that is new', async () => {
    const before = { ...bad, 'chatspec.yaml': configOf({ t: target(await service(), '[sim-reference]') }) };
    const more = suiteOf({ hello: probe(), bad: failing, again: probe() });
    const { code, comment, asked } = await gate(before, { 'suites/own.yaml': more });
    expect({ code, asked }).toEqual({ code: 0, asked: ['t/sim-reference'] });
    expect(comment).not.toContain('This deviates');
  });
});

const gateVars = {
  'needs.shapes.result': 'success',
  "vars.CHATSPEC_GATE_TAGS || 'nightly'": 'smoke',
  'vars.CHATSPEC_CLIENT': 'node app.mjs',
  'github.event.pull_request.number': '4',
};
/** A client program, whose tool_choice is the only thing that an upgrade changes. */
const client = (choice: string) => `
const tools = [{ type: 'function', function: { name: 'order', parameters: { type: 'object', properties: {} } } }];
const body = { model: 'm', messages: [{ role: 'user', content: 'Order it.' }], tools, tool_choice: ${choice} };
const { ok } = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
console.log('private words of the client');
process.exit(ok ? 0 : 1);
`;

describe('a new model in place of an old one', () => {
  const plainConfig = (address: string, ids: readonly string[]) =>
    `targets: { t: { base_url: '${address}', api_key_env: CHATSPEC_API_KEY, models: [${ids.join(', ')}] } }\n`;
  test('asks the new model against the old one, checks the shapes, and keeps one comment', async () => {
    const runner = await gateRunner();
    const { cwd, step } = runner;
    const address = await service();
    const write = (name: string, text: string) => writeFile(join(cwd, name), text);
    const node = { PATH: process.env['PATH'] ?? '' };
    await write('app.mjs', client(`'required'`));
    await write('chatspec.yaml', plainConfig(address, ['sim-reference']));
    await chatspec(['shapes', 'record', '--', 'node', 'app.mjs'], { cwd, env: node });
    await write('.gitignore', 'gate/\ncomment.json\nbefore.chatspec.yaml\n');
    await commitIn(cwd);
    await write('app.mjs', client(`{ type: 'function', function: { name: 'order' } }`));
    await write('chatspec.yaml', plainConfig(address, ['sim-object-500']));
    await commitIn(cwd);

    const values = { ...keys, ...gateVars };
    for (const name of [
      ...['Validate config and suites', 'Check the request shapes', 'Find the models that changed', 'Ask the models'],
      'Write the comment',
    ]) {
      expect(await step(name, values), name).toMatchObject({ code: 0 });
    }
    expect(JSON.parse(await readFile(join(cwd, 'gate/models.json'), 'utf8'))).toEqual({
      ...{ ask: ['t/sim-object-500'], old: ['t/sim-reference'] },
      pairs: [['t/sim-reference', 't/sim-object-500']],
      ...{ check: [], gone: ['t/sim-reference'] },
    });
    const { body } = JSON.parse(await readFile(join(cwd, 'comment.json'), 'utf8')) as { body: string };
    expect(body).toContain('~ tool_choice: required -> {');
    expect(body).toMatch(/### Lost \(1\)[^]*`tool_choice.object` \|/);
    expect(body).toContain('Send only that tool');
    for (const hidden of [secret, 'private words']) expect(body).not.toContain(hidden);
    expect((await step('Decide', values)).code).toBe(1);
    // What was lost closes the gate by itself, too.
    expect(await readFile(join(cwd, 'gate/lost.code'), 'utf8')).toBe('1\n');
    await write('gate/shapes.code', '0\n');
    expect((await step('Decide', values)).code).toBe(1);

    expect(await step('Keep the comment', values)).toMatchObject({ code: 0 });
    expect(await runner.calls()).toContain('gh api repos/acme/models/issues/4/comments --input -');
    await runner.issue('77');
    expect(await step('Keep the comment', values)).toMatchObject({ code: 0 });
    expect(await runner.calls()).toContain('gh api -X PATCH repos/acme/models/issues/comments/77 --input -');

    // The models stay, and the shapes are recorded anew: nothing is asked, and the gate is open.
    await rm(join(cwd, 'gate'), { recursive: true });
    await chatspec(['shapes', 'record', '--', 'node', 'app.mjs'], { cwd, env: node });
    await commitIn(cwd);
    for (const name of [
      'Check the request shapes',
      'Find the models that changed',
      'Ask the models',
      'Write the comment',
    ]) {
      expect(await step(name, values), name).toMatchObject({ code: 0 });
    }
    expect(await readFile(join(cwd, 'gate/comment.md'), 'utf8')).toContain('no model was asked');
    expect(await step('Decide', values)).toMatchObject({ code: 0 });

    // A new model of which nothing can be judged is not let through, for that reason alone, too.
    await write('chatspec.yaml', plainConfig(address, ['sim-object-500', 'sim-nobody']));
    await commitIn(cwd);
    for (const name of ['Find the models that changed', 'Ask the models']) {
      expect(await step(name, values), name).toMatchObject({ code: 0 });
    }
    await write('gate/ask.code', '0\n');
    expect(await step('Write the comment', values)).toMatchObject({ code: 0 });
    const unknown = await readFile(join(cwd, 'gate/comment.md'), 'utf8');
    expect(unknown).toContain('Nothing was compared: no check was judged on both sides.');
    expect(unknown).toContain('Nothing could be compared, so nothing says that the new model can take');
    expect((await step('Decide', values)).code).toBe(1);
    for (const name of ['old', 'new']) await rm(join(cwd, 'gate', name), { recursive: true });
    await write('chatspec.yaml', plainConfig(address, ['sim-object-500']));
    await commitIn(cwd);

    // A new model without a key is not let through.
    await write('chatspec.yaml', plainConfig(address, ['sim-object-500', 'sim-budget']));
    await commitIn(cwd);
    expect(await step('Find the models that changed', values)).toMatchObject({ code: 0 });
    expect(await step('Ask the models', { ...values, 'secrets.CHATSPEC_API_KEY': '' })).toMatchObject({ code: 0 });
    expect(await step('Write the comment', values)).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'gate/comment.md'), 'utf8')).toContain('no key here, so no model was asked');
    expect((await step('Decide', values)).code).toBe(1);
  });

  test.each([
    ['lets no model through with which a cell is lost', 'sim-budget', /1 check lost/],
    [
      'asks again what could be chance',
      'sim-unsteady',
      /0 checks lost[^]*#### What could be chance, asked again[^]*own\/city/,
    ],
  ])('%s', async (_, id, said) => {
    const { cwd, step } = await gateRunner();
    const address = await service();
    const values = { ...keys, ...gateVars, "vars.CHATSPEC_GATE_TAGS || 'nightly'": 'nightly' };
    const withSuite = (id: string) => `${plainConfig(address, [id])}suites: [suite.yaml]\n`;
    await writeFile(join(cwd, 'chatspec.yaml'), withSuite(id));
    await writeFile(join(cwd, 'before.chatspec.yaml'), withSuite('sim-reference'));
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const response_format = {
      ...{ type: 'json_schema' },
      json_schema: { name: 'city', strict: true, schema: { ...schema, additionalProperties: false } },
    };
    const messages = [{ role: 'user', content: 'Which city lies on the Huangpu? Answer in JSON.' }];
    const max_tokens = { 256: 256, 4096: 4096 };
    const probes = { city: { tags: ['nightly'], request: { messages, response_format }, vary: { max_tokens } } };
    await writeFile(join(cwd, 'suite.yaml'), JSON.stringify({ suite: 'own', probes }));
    await mkdir(join(cwd, 'gate'));
    const models = {
      ...{ ask: [`t/${id}`], old: ['t/sim-reference'] },
      pairs: [['t/sim-reference', `t/${id}`]],
      ...{ check: [], gone: ['t/sim-reference'] },
    };
    await writeFile(join(cwd, 'gate/models.json'), JSON.stringify(models));
    for (const name of ['Ask the models', 'Ask again what could be chance', 'Write the comment']) {
      expect(await step(name, values), name).toMatchObject({ code: 0 });
    }
    const comment = await readFile(join(cwd, 'gate/comment.md'), 'utf8');
    expect(comment).toMatch(said);
    expect(comment).not.toContain(secret);
    if (id === 'sim-budget') expect((await step('Decide', values)).code).toBe(1);
  });
});

describe('a client program', () => {
  const crash = 'Nothing was compared: the client program failed';
  test.each([
    ['that crashes as a change would exit', "console.error('why it crashed'); process.exit(1);", 1, crash],
    ['that sends nothing', '', 2, 'or chatspec could not run it'],
    ['whose requests changed', client(`{ type: 'function', function: { name: 'order' } }`), 1, '~~~~~~text\nchanged  '],
    ['whose requests are the same', client(`'required'`), 0, '~~~~~~text\nunchanged: '],
  ])('%s', async (_, program, code, told) => {
    const { cwd, step } = await gateRunner();
    const node = { PATH: process.env['PATH'] ?? '' };
    await writeFile(join(cwd, 'app.mjs'), client(`'required'`));
    await chatspec(['shapes', 'record', '--', 'node', 'app.mjs'], { cwd, env: node });
    await writeFile(join(cwd, 'app.mjs'), program);
    const checked = await step('Check the request shapes', gateVars);
    expect(checked.code).toBe(0);
    expect(await readFile(join(cwd, 'gate/shapes.code'), 'utf8')).toBe(`${code}\n`);
    expect(await step('Write the comment', gateVars)).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'gate/comment.md'), 'utf8')).toContain(told);
    expect(checked.output.includes('why it crashed'), checked.output).toBe(program.includes('why it crashed'));
    expect(checked.output.includes('nothing is compared or written')).toBe(told === crash);
    expect((await step('Decide', gateVars)).code).toBe(code === 0 ? 0 : 1);
  });
});
