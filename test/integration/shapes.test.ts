import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** `shapes record`, `check` and `to-suite` as commands, with a client that a test can change. */

const env = { PATH: process.env['PATH'] ?? '' };
const client = (calls: string) => `
const ask = async (body) => {
  const address = process.env.OPENAI_BASE_URL + '/chat/completions';
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'user-agent': 'Shop/JS 1.0.0' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ model: 'big', ...body }) });
  if (!response.ok) throw new Error(await response.text());
  await response.text();
};
const said = (content) => ({ messages: [{ role: 'user', content }] });
const parameters = { type: 'object', properties: { buyer: { type: 'string' } }, required: ['buyer'], additionalProperties: false };
const tools = [{ type: 'function', function: { name: 'create_order', strict: true, parameters } }];
await Promise.all([${calls}]);
`;
const plain = "ask({ ...said('Hello, ' + Math.random()), max_tokens: 64 })";
const required = "ask({ ...said('Order.'), tools, tool_choice: 'required' })";
const object =
  "ask({ ...said('Order.'), tools, tool_choice: { type: 'function', function: { name: 'create_order' } } })";

let cwd: string;
beforeEach(async () => {
  cwd = await tempFolder();
  await writeFiles(cwd, { 'app.mjs': client(`${plain}, ${required}`) });
});
const app = ['--', 'node', 'app.mjs'];
const shapes = (...args: string[]) => chatspec(['shapes', ...args], { cwd, env });
const lock = () => readFile(join(cwd, 'shapes.lock.yaml'), 'utf8');

test('record writes the same file every time, whoever is first; check finds nothing', async () => {
  expect(await shapes('record', ...app)).toMatchObject({ code: 0, stderr: '' });
  const first = await lock();
  await writeFiles(cwd, { 'app.mjs': client(`${required}, ${plain}, ${plain}`) });
  const again = await shapes('record', ...app);
  expect(again.stdout).toBe(
    'shapes.lock.yaml: 2 request shapes\n  POST /chat/completions: plain text\n  POST /chat/completions: tools create_order (required)\n',
  );
  expect(await lock()).toBe(first);
  expect(await shapes('check', ...app)).toEqual({
    code: 0,
    stdout: 'unchanged: 2 request shapes as in shapes.lock.yaml\n',
    stderr: '',
  });
});

test('check says which call changed, in words and on the wire, and what that means for verified models', async () => {
  await shapes('record', ...app);
  await writeFiles(cwd, {
    'app.mjs': client(`${plain.replace('max_tokens', 'max_completion_tokens')}, ${object}`),
    'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference, sim-object-500] } }\n',
  });
  await chatspec(['run', '--only', 'tool-choice/*', '--out', 'run'], { cwd });
  const checked = await shapes('check', '--against', 'run', ...app);
  expect(checked.code).toBe(1);
  await expect(checked.stdout).toMatchFileSnapshot('__snapshots__/cli/shapes-check.txt');
  expect(checked.stdout).toContain('now needs tool_choice.object: demo/sim-object-500 cannot do that (http_error 500');
  expect(checked.stdout).toContain('= supported by demo/sim-reference: tool_choice.object');
  expect(checked.stdout).toContain(
    '? not known: max_completion_tokens: no probe asks this; add one with shapes to-suite',
  );
  const json = JSON.parse((await shapes('check', '--json', '--against', 'run', ...app)).stdout) as {
    changes: unknown[];
  };
  expect(json.changes).toHaveLength(2);
});

test('--fail-on unsupported passes what no model refuses', async () => {
  await shapes('record', ...app);
  await writeFiles(cwd, {
    'app.mjs': client(`${plain.replace('max_tokens: 64', 'temperature: 1')}, ${required}`),
    'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-object-500] } }\n',
  });
  await chatspec(['run', '--only', 'tool-choice/*', '--out', 'run'], { cwd });
  expect((await shapes('check', ...app)).code).toBe(1);
  expect((await shapes('check', '--fail-on', 'unsupported', '--against', 'run', ...app)).code).toBe(0);
  await writeFiles(cwd, { 'app.mjs': client(`${plain}, ${object}`) });
  expect((await shapes('check', '--fail-on', 'unsupported', '--against', 'run', ...app)).code).toBe(1);
  const without = await shapes('check', '--fail-on', 'unsupported', ...app);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--against RUN') as string });
});

test('what no suite can ask is told, and equal requests are asked once', async () => {
  const other = (path: string, body: string) =>
    `await fetch(process.env.OPENAI_BASE_URL + '${path}', { method: 'POST', body: '${body}' });`;
  const legacy = "ask({ ...said('Order.'), functions: [{ name: 'create_order', parameters }] })";
  const paths = ['/responses', '/embeddings', '/../api/chat'].map((path) => other(path, '{"input":"x"}'));
  const invoice = required.replace(
    'tools,',
    "tools: [{ type: 'function', function: { ...tools[0].function, name: 'bill' } }],",
  );
  await writeFiles(cwd, { 'app.mjs': client(`${plain}, ${required}, ${invoice}, ${legacy}`) + paths.join('\n') });
  const recorded = await shapes('record', ...app);
  const told = [
    'chatspec: no suite asks POST /api/chat: no chat completion',
    'chatspec: no suite asks POST /chat/completions: functions in place of tools',
    'chatspec: no suite asks POST /embeddings: no chat completion',
    'chatspec: no suite asks POST /responses: no chat completion',
  ];
  expect(recorded).toMatchObject({ code: 0, stderr: `${told.join('\n')}\n` });
  expect(recorded.stdout).toContain('shapes.lock.yaml: 6 request shapes\n');
  const { code, stdout, stderr } = await shapes('to-suite');
  expect({ code, stderr }).toEqual({ code: 0, stderr: recorded.stderr });
  expect(stdout.match(/^    title: .*/gm)).toEqual(['    title: plain text', '    title: tools bill (required)']);
});

test('another version of the library alone is shown, and fails only under any', async () => {
  await shapes('record', ...app);
  await writeFiles(cwd, { 'app.mjs': client(`${plain}, ${required}`).replace('1.0.0', '1.1.0') });
  const checked = await shapes('check', ...app);
  expect(checked).toMatchObject({ code: 0, stdout: 'library  Shop/JS: 1.0.0 -> 1.1.0\n' });
  expect((await shapes('check', '--fail-on', 'any', ...app)).code).toBe(1);
});

test('a library with a new name is one line', async () => {
  await shapes('record', ...app);
  const renamed = client(`${plain}, ${required}`).replace('Shop/JS 1.0.0', 'shop-node/2.0.0 (linux)');
  await writeFiles(cwd, { 'app.mjs': renamed });
  const checked = await shapes('check', ...app);
  expect(checked).toMatchObject({ code: 1, stdout: 'library  Shop/JS 1.0.0 -> shop-node 2.0.0\n' });
  await shapes('record', ...app);
  expect(await lock()).not.toContain('linux');
});

test('a command that fails leaves the lock as it was, and its exit code shows', async () => {
  await shapes('record', ...app);
  const [before, { mtimeMs }] = [await lock(), await stat(join(cwd, 'shapes.lock.yaml'))];
  await writeFiles(cwd, { 'app.mjs': `${client(plain)}\nprocess.exit(7);` });
  for (const action of ['record', 'check']) {
    const { code, stdout, stderr } = await shapes(action, ...app);
    expect([code, stdout]).toEqual([7, '']);
    expect(stderr).toContain('node ended with exit code 7; nothing is compared or written');
  }
  expect([await lock(), (await stat(join(cwd, 'shapes.lock.yaml'))).mtimeMs]).toEqual([before, mtimeMs]);
});

test.each([
  [['record'], 'the command that makes the requests is missing'],
  [['record', '--', 'node', '-e', '0'], 'node sent no request to chatspec'],
  [['record', '--', 'no-such-command'], 'no-such-command cannot be started'],
  [['check', '--lock', 'a.yaml', '--', 'node', 'app.mjs'], /there is no \S*a\.yaml to compare with/],
  [['to-suite', '--lock', 'a.yaml'], /there is no \S*a\.yaml to make a suite of/],
  [['compare'], /ACTION must be one of record, check, to-suite/],
] as const)('shapes %j is refused', async (args, message) => {
  const { code, stdout, stderr } = await shapes(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

test('a damaged lock is refused with its place', async () => {
  await writeFiles(cwd, { 'shapes.lock.yaml': 'format: chatspec-shapes/1\nshapes:\n  - call: 1\n' });
  const { code, stderr } = await shapes('check', ...app);
  expect(code).toBe(2);
  expect(stderr).toMatch(/shapes\.lock\.yaml:3:/);
});

test('no key of the environment reaches the lock', async () => {
  const key = 'sk-canary-77aa88bb99cc';
  const live = 'Canary0pQ4rS7tU1vW5xY8zA2bC6dE9fG';
  const text = client(plain).replace("'user-agent'", `'x-team': '${key}', 'x-${live}': 'a', 'user-agent'`);
  await writeFiles(cwd, { 'app.mjs': text });
  await chatspec(['shapes', 'record', ...app], { cwd, env: { ...env, CHATSPEC_API_KEY: key, TEAM_TOKEN: live } });
  expect(await lock()).not.toMatch(/canary/i);
  await writeFiles(cwd, { 'shapes.lock.yaml': (await lock()).replace('role: user', `role: ${key}`) });
  for (const args of [['to-suite'], ['check', ...app], ['check', '--json', ...app], ['record', '--json', ...app]])
    expect((await shapes(...args)).stdout).not.toContain(key);
});
