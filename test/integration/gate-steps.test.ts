import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keys, runnerOf, secret, service } from '../support/ci-runner.js';
import { runLines, workflowIn } from '../support/ci-steps.js';
import { chatspec } from '../support/cli.js';

const gateVars = {
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

describe('upgrade-gate.yml', () => {
  const configOf = (address: string, ids: readonly string[]) =>
    `targets: { t: { base_url: '${address}', api_key_env: CHATSPEC_API_KEY, models: [${ids.join(', ')}] } }\n`;
  test('asks the new model against the old one, checks the shapes, and keeps one comment', async () => {
    const { jobs } = await workflowIn('.github/workflows/upgrade-gate.yml');
    const runner = await runnerOf(
      Object.values(jobs).flatMap(({ steps }) => steps),
      { CONFIG: 'chatspec.yaml' },
    );
    const { cwd, step } = runner;
    const address = await service();
    const write = (name: string, text: string) => writeFile(join(cwd, name), text);
    const commit = (message: string) =>
      runLines(
        `git init -q . && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm '${message}'`,
        { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd } },
      );
    const node = { PATH: process.env['PATH'] ?? '' };
    await write('app.mjs', client(`'required'`));
    await write('chatspec.yaml', configOf(address, ['sim-reference']));
    await chatspec(['shapes', 'record', '--', 'node', 'app.mjs'], { cwd, env: node });
    await write('.gitignore', 'gate/\ncomment.json\nbefore.chatspec.yaml\n');
    expect(await commit('before')).toMatchObject({ code: 0 });
    await write('app.mjs', client(`{ type: 'function', function: { name: 'order' } }`));
    await write('chatspec.yaml', configOf(address, ['sim-object-500']));
    expect(await commit('upgrade')).toMatchObject({ code: 0 });

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
    expect(body).toContain('which tool has to be called: tool_choice: required -> an object');
    expect(body).toMatch(/### Lost \(1\)[^]*`tool_choice.object` \|/);
    expect(body).toContain('with that tool alone');
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
    await commit('accepted');
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
    await write('chatspec.yaml', configOf(address, ['sim-object-500', 'sim-nobody']));
    await commit('unknown');
    for (const name of ['Find the models that changed', 'Ask the models']) {
      expect(await step(name, values), name).toMatchObject({ code: 0 });
    }
    await write('gate/ask.code', '0\n');
    expect(await step('Write the comment', values)).toMatchObject({ code: 0 });
    const unknown = await readFile(join(cwd, 'gate/comment.md'), 'utf8');
    expect(unknown).toContain('Nothing was compared: no cell was judged on both sides.');
    expect(unknown).toContain('Nothing could be compared, so nothing says that the new model can take');
    expect((await step('Decide', values)).code).toBe(1);
    for (const name of ['old', 'new']) await rm(join(cwd, 'gate', name), { recursive: true });
    await write('chatspec.yaml', configOf(address, ['sim-object-500']));
    await commit('taken back');

    // A new model without a key is not let through.
    await write('chatspec.yaml', configOf(address, ['sim-object-500', 'sim-budget']));
    await commit('one more');
    expect(await step('Find the models that changed', values)).toMatchObject({ code: 0 });
    expect(await step('Ask the models', { ...values, 'secrets.CHATSPEC_API_KEY': '' })).toMatchObject({ code: 0 });
    expect(await step('Write the comment', values)).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'gate/comment.md'), 'utf8')).toContain('no key here, so no model was asked');
    expect((await step('Decide', values)).code).toBe(1);
  });

  test.each([
    ['lets no model through with which a cell is lost', 'sim-budget', /1 cell lost/],
    [
      'asks again what could be chance',
      'sim-unsteady',
      /0 cells lost[^]*#### What could be chance, asked again[^]*own\/city/,
    ],
  ])('%s', async (_, id, said) => {
    const { jobs } = await workflowIn('.github/workflows/upgrade-gate.yml');
    const { cwd, step } = await runnerOf(
      Object.values(jobs).flatMap(({ steps }) => steps),
      { CONFIG: 'chatspec.yaml' },
    );
    const address = await service();
    const values = { ...keys, ...gateVars, "vars.CHATSPEC_GATE_TAGS || 'nightly'": 'nightly' };
    const withSuite = (id: string) => `${configOf(address, [id])}suites: [suite.yaml]\n`;
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

describe('upgrade-gate.yml and a client program', () => {
  const crash = 'Nothing was compared: the client program failed';
  test.each([
    ['that crashes as a change would exit', "console.error('why it crashed'); process.exit(1);", 1, crash],
    ['that a signal ends', "process.kill(process.pid, 'SIGKILL');", 137, crash],
    ['that fails with the code of a run that could not measure', 'process.exit(3);', 3, crash],
    ['that sends nothing', '', 2, 'or chatspec could not run it'],
    ['whose requests changed', client(`{ type: 'function', function: { name: 'order' } }`), 1, '~~~~~~text\nchanged  '],
    ['whose requests are the same', client(`'required'`), 0, '~~~~~~text\nunchanged: '],
  ])('%s', async (_, program, code, told) => {
    const { jobs } = await workflowIn('.github/workflows/upgrade-gate.yml');
    const { cwd, step } = await runnerOf(
      Object.values(jobs).flatMap(({ steps }) => steps),
      { CONFIG: 'chatspec.yaml' },
    );
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
