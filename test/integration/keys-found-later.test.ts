import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { findsKey } from '../support/keys/find-key.js';
import { serveHttp, type Loopback } from '../support/loopback.js';
import { lastingFolder } from '../support/lasting-folder.js';

/**
 * A journal may be older than a rule of masking or than a key of the config, and what a service says may match a `redact`
 * pattern. What is made of it today shows neither.
 */
const key = 'Zt4-kWm9Xq2Lb7Rv5Nc8Yh3J';
const env = { LATER_KEY: key };
const phone = '13800138000';

const suite = {
  suite: 'old',
  probes: {
    plain: { request: { messages: [{ role: 'user', content: 'hello' }] }, expect: { content: 'json' } },
    stream: { request: { stream: true, messages: [{ role: 'user', content: 'hello' }] }, expect: { content: 'json' } },
  },
};
const configOf = (baseUrl: string, more: object) =>
  JSON.stringify({ targets: { t: { base_url: baseUrl, models: ['m'], ...more } }, suites: ['old.yaml'] });

let service: Loopback;
let folder: string;

beforeAll(async () => {
  folder = await lastingFolder();
  service = await serveHttp((_, response, body) => {
    const { stream } = JSON.parse(body) as { readonly stream?: boolean };
    const said = `my key is ${key}, call ${phone}`;
    if (stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': key });
      for (const letter of said)
        response.write(`data: {"choices":[{"delta":{"content":${JSON.stringify(letter)}}}]}\n\n`);
      response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
      return;
    }
    const message = { role: 'assistant', content: said };
    const usage = { prompt_tokens: 1, completion_tokens: 1, note: phone };
    response
      .writeHead(200, { 'x-request-id': key, traceresponse: key })
      .end(JSON.stringify({ id: `id-${key}`, model: key, usage, choices: [{ message, finish_reason: 'stop' }] }));
  });
  await writeFiles(folder, { 'chatspec.yaml': configOf(service.baseUrl, {}), 'old.yaml': JSON.stringify(suite) });
  for (const out of ['r', 'r2']) await chatspec(['run', '--out', out, '--fail-on', 'never'], { cwd: folder });
  const later = { headers: { 'x-later': { env: 'LATER_KEY' } } };
  const config = JSON.parse(configOf(service.baseUrl, later)) as object;
  await writeFiles(folder, { 'chatspec.yaml': JSON.stringify({ ...config, redact: ['1[0-9]{10}'] }) });
});
afterAll(() => service.close());

async function filesIn(name: string): Promise<readonly (readonly [string, string])[]> {
  const names = await readdir(join(folder, name));
  return Promise.all(names.map(async (file) => [file, await readFile(join(folder, name, file), 'utf8')] as const));
}

function expectNeither(text: string, where: string): void {
  expect(findsKey(text, key), where).toBeNull();
  expect(text, where).not.toContain(phone);
}

test('the key is in the old run', async () => {
  const leaks = (await filesIn('r')).filter(([, text]) => findsKey(text, key) !== null).map(([name]) => name);
  expect(leaks).toEqual(expect.arrayContaining(['journal.jsonl', 'report.json', 'index.html', 'failures.jsonl']));
});

describe('a key that the config names only now is in nothing that is made of an old run', () => {
  test.each([
    'report r',
    'report r --json',
    'report r --format failures',
    'evidence r old/plain',
    'evidence r old/stream',
    'evidence r old/plain --json',
    'evidence r old/stream --json',
    'diff r r2',
    'diff r r2 --json',
    'diff r r2 --markdown',
    'baseline accept r --dry-run',
  ])('%s', async (line) => {
    const { code, stdout, stderr } = await chatspec(line.split(' '), { cwd: folder, env });
    expect(code, stderr).toBe(0);
    expect(stdout.length).toBeGreaterThan(10);
    expectNeither(stdout + stderr, line);
  });

  test.each([
    ['report', 'report r --format json,html,md,junit,ctrf,openmetrics --out again'],
    ['rejudge', 'rejudge r --out again --fail-on never'],
  ])('the files of %s', async (_, line) => {
    await rm(join(folder, 'again'), { recursive: true, force: true });
    const { code, stdout, stderr } = await chatspec(line.split(' '), { cwd: folder, env });
    expect(code, stderr).toBe(0);
    const files = await filesIn('again');
    expect(files.length).toBeGreaterThan(3);
    for (const [name, text] of [...files, ['what was printed', stdout + stderr] as const]) expectNeither(text, name);
  });
});

test.each(['doctor', 'doctor --json'])('%s redacts what a service says', async (line) => {
  const { stdout, stderr } = await chatspec(line.split(' '), { cwd: folder, env });
  expect(stdout).toContain('[redacted]');
  expectNeither(stdout + stderr, line);
});
