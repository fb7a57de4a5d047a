import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** Keys that a program prints, and what stands on the target for all of its models. */

const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }], max_tokens: 50 }, trials: 4 }
`;
const completion = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const keys = ['sk-first-8f2kd93kd02', 'sk-second-92kf02kd9s'];

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
});

/** Prints one key after the other, a line for each call in calls.txt. */
const program = (then = '') => `process.chdir(__dirname);
const fs = require('node:fs');
fs.appendFileSync('calls.txt', 'called\\n');
const calls = fs.readFileSync('calls.txt', 'utf8').trim().split('\\n').length;
console.log(${JSON.stringify(keys)}[Math.min(calls, 2) - 1]);
${then}`;

async function serviceThatTakes(isTaken: (key: string, count: number) => boolean) {
  const bodies: unknown[] = [];
  const sent: string[] = [];
  const service = await serveHttp((request, response, body) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    sent.push(key);
    bodies.push(JSON.parse(body));
    const refused = JSON.stringify({ error: { message: `Invalid API key ${key}`, code: 'invalid_api_key' } });
    const isFine = isTaken(key, sent.length);
    response.writeHead(isFine ? 200 : 401, { 'content-type': 'application/json' }).end(isFine ? completion : refused);
  });
  onTestFinished(() => service.close());
  return { address: `http://127.0.0.1:${service.port}/v1`, sent, bodies };
}

async function runWith(target: string, files: Readonly<Record<string, string>>) {
  await writeFiles(folder, {
    'chatspec.yaml': `targets: { t: ${target} }\nsuites: [shop.yaml]\n`,
    ...files,
    'shop.yaml': suite,
  });
  const { code, stdout, stderr } = await chatspec(['run', '--out', 'r', '--fail-on', 'never'], { cwd: folder });
  return { code, text: stdout + stderr };
}
const command = (): string => JSON.stringify([process.execPath, join(folder, 'key.cjs')]);
const calls = async (): Promise<number> =>
  (await readFile(join(folder, 'calls.txt'), 'utf8')).trim().split('\n').length;

test('a key that expires in the middle of a run is asked for once more, and no file shows either', async () => {
  const { address, sent } = await serviceThatTakes((key, count) => key === keys[count > 3 ? 1 : 0]);
  const { code, text } = await runWith(`{ base_url: '${address}', api_key: { command: ${command()} }, models: [m] }`, {
    'key.cjs': program(),
  });
  expect(code).toBe(0);
  expect(await calls()).toBe(2);
  expect(new Set(sent)).toEqual(new Set(keys));
  const written = ['journal.jsonl', 'report.json', 'index.html', 'report.md'].map((name) => join(folder, 'r', name));
  const texts = await Promise.all(written.map((file) => readFile(file, 'utf8')));
  for (const key of keys) expect([text, ...texts].filter((one) => one.includes(key))).toEqual([]);
});

test('a key that is refused from the start is asked for once, and the run says so', async () => {
  const { address, sent } = await serviceThatTakes(() => false);
  const { code } = await runWith(`{ base_url: '${address}', api_key: { command: ${command()} }, models: [m] }`, {
    'key.cjs': program(),
  });
  expect(code).toBe(3);
  expect(await calls()).toBe(1);
  expect(sent.length).toBeGreaterThan(0);
});

test('a program that fails ends the run before anything is sent, and what it printed is not shown', async () => {
  const { address, sent } = await serviceThatTakes(() => true);
  const { code, text } = await runWith(`{ base_url: '${address}', api_key: { command: ${command()} }, models: [m] }`, {
    'key.cjs': program(`console.error('cannot renew ${keys[0]}'); process.exit(7);`),
  });
  expect(code).toBe(2);
  expect(text).toContain('exit code 7');
  expect(text).not.toContain(keys[0]);
  expect(sent).toEqual([]);
});

test('what stands on the target holds for all models, and a model adds to it', async () => {
  const { address, bodies } = await serviceThatTakes(() => true);
  const target = `{ base_url: '${address}', headers: { x-team: a }, models: [m, { id: n, request: { seed: 7 } }],
    request: { user: team, temperature: 0 }, rename: { max_tokens: max_completion_tokens } }`;
  await runWith(target, {});
  const asked = bodies as { model: string; max_completion_tokens?: number; user?: string; seed?: number }[];
  const [ofM, ofN] = ['m', 'n'].map((id) => asked.findLast(({ model }) => model === id));
  expect(ofM).toMatchObject({ max_completion_tokens: 50, user: 'team', temperature: 0 });
  expect(ofM).not.toHaveProperty('seed');
  expect(ofN).toMatchObject({ max_completion_tokens: 50, user: 'team', seed: 7 });
  expect(asked.some((body) => 'max_tokens' in body)).toBe(false);
});
