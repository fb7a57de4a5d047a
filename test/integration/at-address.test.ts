import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { chatspec } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** Runs and first checks without a config, and what the command line says over each model. */

let cwd: string;
beforeEach(async () => {
  cwd = await tempFolder();
});

interface Body {
  model: string;
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
}

async function service() {
  const bodies: Body[] = [];
  const keys = new Set<string | undefined>();
  const served = await serveHttp((request, response, text) => {
    keys.add(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') {
      response.end(JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }, { id: 'c-embed' }] }));
      return;
    }
    const body = JSON.parse(text) as Body;
    bodies.push(body);
    const message = { role: 'assistant', content: 'Hello.' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', model: body.model, choices }));
  });
  onTestFinished(() => served.close());
  return { baseUrl: served.baseUrl, bodies, keys };
}

const only = ['--only', 'quick-start/plain*', '--fail-on', 'never'];
const env = { TEAM_KEY: 'sk-team-92kd03kd92kd' };

test('a run at an address asks the models that are named, with the key and what is said over each', async () => {
  const { baseUrl, bodies, keys } = await service();
  const over = ['--rename', 'max_tokens=max_completion_tokens', '--request', '{"temperature":0.5}'];
  const line = ['run', '--base-url', baseUrl, '--models', 'a,b', '--api-key-env', 'TEAM_KEY', ...over];
  const { code, stderr } = await chatspec([...line, ...only, '--out', 'r'], { cwd, env });
  expect([code, stderr.includes(env.TEAM_KEY)]).toEqual([0, false]);
  expect(new Set(bodies.map(({ model }) => model))).toEqual(new Set(['a', 'b']));
  expect(keys).toEqual(new Set([`Bearer ${env.TEAM_KEY}`]));
  const last = bodies.findLast(({ model }) => model === 'a');
  expect(last).toMatchObject({ temperature: 0.5 });
  expect(bodies.some((body) => 'max_tokens' in body)).toBe(false);
  expect((await chatspec(['rejudge', 'r', '--out', 'again'], { cwd, env })).code).toBe(0);
  const again = JSON.parse(await readFile(join(cwd, 'again', 'report.json'), 'utf8')) as { cells: unknown[] };
  expect(again.cells.length).toBeGreaterThan(0);
});

test('patterns name what the service lists', async () => {
  const { baseUrl, bodies } = await service();
  const line = ['run', '--base-url', baseUrl, '--models', '*,!*-embed', ...only, '--out', 'r'];
  expect((await chatspec(line, { cwd })).code).toBe(0);
  expect(new Set(bodies.map(({ model }) => model))).toEqual(new Set(['a', 'b']));
});

test('doctor checks models at an address', async () => {
  const { baseUrl, bodies } = await service();
  const over = ['--rename', 'max_tokens=max_completion_tokens'];
  const line = ['doctor', '--base-url', baseUrl, '--model', 'a', '--model', 'b', '--json', ...over];
  const { code, stdout } = await chatspec(line, { cwd });
  expect([code, (JSON.parse(stdout) as unknown[]).length]).toEqual([0, 2]);
  expect(bodies.every((body) => 'max_completion_tokens' in body || !('max_tokens' in body))).toBe(true);
});

test.each([
  ['no models', ['run', '--base-url', 'http://127.0.0.1:9/v1'], '--models a,b'],
  ['a key without an address', ['doctor', '--api-key-env', 'TEAM_KEY'], '--base-url'],
  [
    'what programs obey',
    ['run', '--base-url', 'simulator', '--models', 'a', '--api-key-env', 'LD_PRELOAD'],
    'obey LD_P',
  ],
  ['a key', ['doctor', '--base-url', 'simulator', '--model', 'a', '--api-key-env', 'x y'], '--api-key-env takes'],
  ['no pair', ['run', '--base-url', 'simulator', '--models', 'a', '--rename', 'max_tokens'], 'OLD=NEW'],
  ['no object', ['run', '--base-url', 'simulator', '--models', 'a', '--request', '[1]'], 'JSON object'],
  [
    'a wrong type',
    ['run', '--base-url', 'simulator', '--models', 'a', '--request', '{"max_tokens":"x"}'],
    'max_tokens',
  ],
  ['no address', ['run', '--base-url', 'ftp://x', '--models', 'a'], '--base-url'],
])('%s is refused before anything is sent', async (_, line, named) => {
  const { code, stderr } = await chatspec(line, { cwd });
  expect([code, stderr.includes(named)]).toEqual([2, true]);
});
