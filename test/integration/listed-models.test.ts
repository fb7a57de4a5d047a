import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** Models that a service lists itself. */

const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }], max_tokens: 50 }, trials: 1 }
  bye: { request: { messages: [{ role: user, content: Say goodbye. }], max_tokens: 50 }, trials: 1 }
`;
const completion = (model: string) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });
const noChat = JSON.stringify({ error: { message: 'This model does not support Chat Completions.' } });
const unknown = JSON.stringify({ error: { message: 'The model does not exist', code: 'model_not_found' } });

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
});

/** Serves the models of `ids`, which a test may change; those with `embed` in their name do not chat. */
async function serviceOf(ids: string[]) {
  const asked: string[] = [];
  const service = await serveHttp((request, response, body) => {
    const send = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    if (request.method === 'GET') {
      send(ids.length === 0 ? 500 : 200, JSON.stringify({ data: ids.map((id) => ({ id })) }));
      return;
    }
    const { model } = JSON.parse(body) as { model: string };
    asked.push(model);
    if (!ids.includes(model)) send(404, unknown);
    else if (model.includes('embed')) send(400, noChat);
    else send(200, completion(model));
  });
  onTestFinished(() => service.close());
  return { baseUrl: service.baseUrl, asked };
}

const write = (baseUrl: string, models: string) =>
  writeFiles(folder, {
    'chatspec.yaml': `targets: { t: { base_url: '${baseUrl}', models: ${models} } }
suites: [shop.yaml]
baseline: baseline.yaml
`,
    'shop.yaml': suite,
  });
const run = (out: string, ...more: string[]) => chatspec(['run', '--out', out, ...more], { cwd: folder });

interface ReportModels {
  models: { model: string; standing: string; reachable: boolean }[];
}
async function modelsIn(out: string) {
  const { models } = JSON.parse(await readFile(join(folder, out, 'report.json'), 'utf8')) as ReportModels;
  return Object.fromEntries(
    models.map(({ model, standing, reachable }) => [model, reachable ? standing : standing + '!']),
  );
}

test('the models that fit are asked, and the journal says which', async () => {
  const { baseUrl } = await serviceOf(['v/a', 'v/b', 'v/c-embed', 'w/x', 'v/d']);
  await write(baseUrl, `{ listed: ['v/*', '!*-embed'], at_most: 2 }`);
  const { code, stderr } = await run('r');
  expect(code).toBe(0);
  expect(stderr).toContain('1 more model');
  expect(await modelsIn('r')).toEqual({ 'v/a': 'new', 'v/b': 'new' });
  const [started = ''] = (await readFile(join(folder, 'r', 'journal.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(started)).toMatchObject({ listed: { t: ['v/a', 'v/b'] } });
});

test('new and gone models are news, and a run is judged again by its own list', async () => {
  const ids = ['v/a', 'v/b'];
  const { baseUrl } = await serviceOf(ids);
  await write(baseUrl, `{ listed: ['v/*'] }`);
  await run('r1', '--trials', '2');
  const accepted = await chatspec(['baseline', 'accept', 'r1'], { cwd: folder });
  expect(accepted.code).toBe(0);
  ids.splice(0, 1, 'v/new');
  expect((await run('r2')).code).toBe(1);
  expect(await modelsIn('r2')).toEqual({ 'v/a': 'gone!', 'v/b': 'known', 'v/new': 'new' });
  expect((await chatspec(['rejudge', 'r1', '--out', 'again'], { cwd: folder })).code).toBe(0);
  expect(Object.keys(await modelsIn('again'))).toEqual(['v/a', 'v/b']);
  await chatspec(['baseline', 'accept', 'r2', '--prune'], { cwd: folder });
  const baseline = await readFile(join(folder, 'baseline.yaml'), 'utf8');
  expect([baseline.includes('v/a'), baseline.includes('v/b')]).toEqual([false, true]);
});

test('a model that does not chat takes few requests, and no cell of it fails', async () => {
  const { baseUrl, asked } = await serviceOf(['v/a', 'v/embed']);
  await write(baseUrl, `{ listed: ['v/*'] }`);
  await run('r');
  expect(await modelsIn('r')).toEqual({ 'v/a': 'new', 'v/embed': 'new!' });
  expect(asked.filter((id) => id === 'v/embed').length).toBeLessThanOrEqual(8);
  const report = JSON.parse(await readFile(join(folder, 'r', 'report.json'), 'utf8')) as {
    cells: { key: string; verdict: string }[];
  };
  expect(report.cells.filter(({ key }) => key.endsWith('embed')).map(({ verdict }) => verdict)).not.toContain('fail');
});

test('without a list nothing can be measured, unless the baseline knows the models', async () => {
  const ids: string[] = [];
  const { baseUrl } = await serviceOf(ids);
  await write(baseUrl, `{ listed: ['v/*'] }`);
  const { code, stderr } = await run('r');
  expect(code).toBe(3);
  expect(stderr).toContain('HTTP 500');
  expect((await chatspec(['validate'], { cwd: folder })).code).toBe(0);
});
