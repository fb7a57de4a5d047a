import { beforeAll, describe, expect, test } from 'vitest';
import { project, type Ended, type Project } from './program.js';

/** `shapes`: what is part of a shape, which libraries a lock names, and how a program finds its way to the endpoint. */

/** Sends one request for each pair of headers and body that it is given. */
const client = `const url = process.env[process.env.ADDRESS ?? 'OPENAI_BASE_URL'];
if (!url) process.exit(0);
for (const [headers, body] of JSON.parse(process.argv[2])) {
  const answer = await fetch(url + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: process.env.CHATSPEC_MODEL, messages: [{ role: 'user', content: 'Hi.' }], ...body }),
  });
  const { choices } = await answer.json();
  console.log(choices[0].message.content);
}
`;
type Sent = readonly (readonly [headers: Readonly<Record<string, string>>, body?: object])[];

let work: Project;
beforeAll(async () => {
  work = await project({ 'client.mjs': client });
});

const shapes = (
  action: string,
  sent: Sent,
  more: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Ended> =>
  work.chatspec(['shapes', action, ...more, '--', process.execPath, 'client.mjs', JSON.stringify(sent)], env);
const agent = (text: string) => ({ 'user-agent': text });
const lock = (): Promise<string> => work.read('shapes.lock.yaml');

test('what only reports is no part of a shape: its change is shown, and red under any alone', async () => {
  const java = (more: Record<string, string>): Sent => [
    [{ ...agent('OpenAI/Java 4.1.0'), 'x-stainless-lang': 'java', ...more }],
  ];
  await shapes('record', java({ 'x-stainless-os': 'Linux' }));
  const before = await lock();
  await shapes('record', java({ 'x-stainless-os': 'MacOS' }));
  expect(await lock()).toBe(before);
  expect(before).not.toMatch(/Linux|MacOS|127\.0\.0\.1|Hi\./);
  const newer = java({
    'x-stainless-os': 'Linux',
    'x-stainless-kotlin-version': '2.1',
    'x-stainless-read-timeout': '600.0',
  });
  const checked = await shapes('check', newer);
  expect(checked.code).toBe(0);
  expect(checked.stdout).toContain('x-stainless-kotlin-version');
  expect((await shapes('check', newer, ['--fail-on', 'any'])).code).toBe(1);
  expect((await shapes('check', java({ 'x-team': 'a' }))).code).toBe(1);
});

test('libraries that send the same all stand in the entry', async () => {
  const [one, other] = [agent('OpenAI/Python 3.57.0'), agent('openai-agents/0.24.0')];
  expect((await shapes('record', [[one], [other]])).code).toBe(0);
  expect(await lock()).toMatch(/OpenAI\/Python: 3\.57\.0\n\s+openai-agents: 0\.24\.0/);
  expect((await shapes('check', [[other], [one]])).stdout).toMatch(/^unchanged: 1 /);
  const [alone, renamed] = [
    await shapes('check', [[one]]),
    await shapes('check', [[agent('AsyncOpenAI/Python 3.57.0')], [other]]),
  ];
  expect([alone.code, renamed.code, renamed.stdout.slice(0, 9)]).toEqual([0, 0, 'unchanged']);
});

test('--library names what no request tells', async () => {
  const named = (version: string) => ['--library', `pypi:litellm=${version},shop=1`];
  expect((await shapes('record', [[agent('OpenAI/Python 3.57.0')]], named('1.110.0'))).code).toBe(0);
  expect(await lock()).toMatch(/OpenAI\/Python: 3\.57\.0\n\s+pypi:litellm: 1\.110\.0\n\s+shop: "1"/);
  const checked = await shapes('check', [[agent('OpenAI/Python 3.57.0')]], named('1.111.0'));
  expect(checked).toMatchObject({ code: 0, stdout: 'library  pypi:litellm: 1.110.0 -> 1.111.0\n' });
  expect((await shapes('record', [[{}]], ['--library', 'litellm'])).code).toBe(2);
});

test('the lock names the client libraries of the folder where the command runs, and no transport', async () => {
  const uvLock = (version: string) =>
    ['openai 3.57.0', `langchain-openai ${version}`, 'httpx 0.28.1', 'flask 3.1.0']
      .map((line) => line.split(' '))
      .map(([name, own]) => `[[package]]\nname = "${name ?? ''}"\nversion = "${own ?? ''}"\n`)
      .join('');
  const goMod = 'module shop\nrequire github.com/sashabaranov/go-openai v1.43.0\n';
  await work.write({ 'uv.lock': uvLock('1.7.0'), 'go.mod': goMod });
  const sent: Sent = [[agent('OpenAI/Python 3.57.0')]];
  expect((await shapes('record', sent)).code).toBe(0);
  const names = /libraries:\n((?: {6}.*\n)+)/
    .exec(await lock())?.[1]
    ?.trim()
    .split(/\n\s+/);
  expect(names).toEqual([
    'OpenAI/Python: 3.57.0',
    'go:github.com/sashabaranov/go-openai: 1.43.0',
    'pypi:langchain-openai: 1.7.0',
    'pypi:openai: 3.57.0',
  ]);
  await work.write({ 'uv.lock': uvLock('1.8.0') });
  const newer = { code: 0, stdout: 'library  pypi:langchain-openai: 1.7.0 -> 1.8.0\n' };
  expect(await shapes('check', sent)).toMatchObject(newer);
  expect((await shapes('check', sent, ['--fail-on', 'any'])).code).toBe(1);
  const byHand = ['--library', 'pypi:langchain-openai=1.7.0'];
  expect((await shapes('check', sent, byHand)).stdout).toMatch(/^unchanged/);
  await work.write({ 'uv.lock': '', 'go.mod': '' });
});

test('a library of npm stands in the lock as it is installed, whatever its manager locks it in', async () => {
  const installed = (version: string) =>
    work.write({ 'node_modules/@langchain/openai/package.json': `{"version":"${version}"}` });
  await work.write({ 'package.json': '{"dependencies":{"@langchain/openai":"^0.6.0","ai":"^5.0.0"}}' });
  await installed('0.6.1');
  const sent: Sent = [[agent('OpenAI/JS 6.49.0')]];
  expect((await shapes('record', sent)).code).toBe(0);
  expect(await lock()).toMatch(/"?npm:@langchain\/openai"?: 0\.6\.1\n\s+npm:ai: \^5\.0\.0/);
  await installed('0.7.0');
  const newer = { code: 0, stdout: 'library  npm:@langchain/openai: 0.6.1 -> 0.7.0\n' };
  expect(await shapes('check', sent)).toMatchObject(newer);
  await work.write({ 'package.json': '{}' });
});

describe('the environment of the command', () => {
  test.each(['OPENAI_BASE_URL', 'OPENAI_API_BASE', 'CHATSPEC_BASE_URL'])('holds the address in %s', async (name) => {
    expect(await shapes('record', [[{}]], [], { ADDRESS: name })).toMatchObject({ code: 0 });
  });

  test('is changed by --env and --no-env, also of clients try', async () => {
    const args = ['--env', 'ADDRESS=OWN_BASE,OWN_BASE={base_url}', '--no-env', 'OPENAI_BASE_URL,OPENAI_API_BASE'];
    expect((await shapes('record', [[{}]], args)).code).toBe(0);
    expect((await shapes('record', [[{}]], ['--no-env', 'OPENAI_BASE_URL'])).code).toBe(2);
    const { code } = await work.chatspec([
      'clients',
      'try',
      '--quirks',
      'usage_missing',
      ...args,
      '--',
      process.execPath,
      'client.mjs',
      '[[{}]]',
    ]);
    expect(code).toBe(0);
    expect((await shapes('record', [[{}]], ['--env', 'ADDRESS'])).code).toBe(2);
  });

  test('is told where no request arrived', async () => {
    const { code, stderr } = await shapes('record', [[{}]], ['--no-env', 'OPENAI_BASE_URL', '--env', 'MINE=1']);
    expect(code).toBe(2);
    for (const name of ['OPENAI_API_BASE', 'OPENAI_API_KEY', 'CHATSPEC_BASE_URL', 'CHATSPEC_MODEL', 'MINE']) {
      expect(stderr).toContain(name);
    }
    expect(stderr).not.toContain('OPENAI_BASE_URL,');
  });
});

test("a suite of shapes keeps a tool's result, and the reference passes it", async () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
  const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
  ];
  await shapes('record', [
    [{}, { tools }],
    [{}, { tools, messages }],
    [{}, { messages }],
  ]);
  const { stdout } = await work.chatspec('shapes to-suite');
  expect(stdout.match(/role: tool\n/g)).toHaveLength(2);
  await work.write({
    'application.yaml': stdout,
    'chatspec.yaml':
      'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [application.yaml]\n',
  });
  const run = await work.chatspec('run --quiet --fail-on fail');
  expect(run, run.stdout).toMatchObject({ code: 0 });
});

test('--against tells of a new call only what no recorded call had', async () => {
  await work.chatspec('run --quiet --fail-on never');
  await shapes('record', [[{}, { max_tokens: 5, top_p: 1 }]]);
  const next: Sent = [
    [{}, { max_tokens: 5, top_p: 1 }],
    [{}, { max_tokens: 5, seed: 1, response_format: { type: 'json_object' } }],
  ];
  const { code, stdout } = await shapes('check', next, ['--against', 'reports/latest']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/not known: seed: /);
  expect(stdout).not.toMatch(/not known: .*max_tokens/);
});

test('the reference answers the field markers of DSPy', async () => {
  const content =
    'Respond with the corresponding output fields, starting with the field `[[ ## answer ## ]]`, and then ending with the marker for `[[ ## completed ## ]]`.';
  const { stderr } = await shapes('record', [[{}, { messages: [{ role: 'user', content }] }]]);
  expect(stderr).toMatch(/^\[\[ ## answer ## \]\]\n.+\n\n\[\[ ## completed ## \]\]\n/);
});
