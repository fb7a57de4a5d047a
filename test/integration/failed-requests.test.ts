import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chooseForm } from '../../src/capabilities/choose-form.js';
import { loadCapabilities } from '../../src/capabilities/load-capabilities.js';
import type { Report } from '../../src/index.js';
import { aCompletion } from '../support/build.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { type Loopback, serveHttp } from '../support/loopback.js';

/** A service answers every request, but some only when they are sent again: a client without retries sees them fail. */

let cwd: string;
let service: Loopback;
const seen = new Set<string>();

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Of the tenth and twentieth row of the samples, the first time that it is asked. */
function fails(body: string): boolean {
  const isFirst = !seen.has(body);
  seen.add(body);
  return isFirst && body.includes('0.');
}

function answer(response: ServerResponse, body: string) {
  const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean };
  const fault = fails(body) ? model : 'good';
  if (fault === 'f-500') {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"internal error"}}');
  } else if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(aCompletion());
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: 'Hel' }, null));
    if (fault === 'f-cut') setTimeout(() => response.destroy(), 5);
    else response.end(`${chunk({ content: 'lo.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
  }
}

const ask = (line: string) => chatspec(line.split(' '), { cwd });
const fileOf = (run: string, name: string) => readFile(join(cwd, run, name), 'utf8');
const reportOf = async (run: string) => JSON.parse(await fileOf(run, 'report.json')) as Report;
const failedIn = ({ models }: Report) => models.map(({ model, failed_requests: failed }) => [model, failed ?? null]);

beforeAll(async () => {
  service = await serveHttp((_, response, body) => answer(response, body));
  cwd = await lastingFolder();
  const rows = Array.from({ length: 20 }, (_, row) => `{"text":"Greet guest ${row + 1}."}\n`).join('');
  const messages = "[{ role: user, content: '{{text}}' }]";
  await writeFiles(cwd, {
    'chatspec.yaml': `targets: { service: { base_url: '${service.baseUrl}', models: [f-ok, f-500, f-cut] } }\nsuites: ['own.yaml']\n`,
    'own.yaml': [
      'suite: own',
      'forms: [{ capability: spoken, need: plain_text, order: 1 }]',
      'probes:',
      `  whole: { capability: spoken, samples: rows.jsonl, trials: 20, request: { messages: ${messages} } }`,
      `  live: { capability: live, samples: rows.jsonl, trials: 20, request: { messages: ${messages}, stream: true } }`,
      '',
    ].join('\n'),
    'rows.jsonl': rows,
  });
});
beforeEach(() => seen.clear());
afterAll(() => service.close());

const expected = [
  ['f-ok', null],
  ['f-500', { failed: 4, of: 45, stream: null, lost: 0, kinds: [{ kind: 'status', status: 500, requests: 4 }] }],
  ['f-cut', { failed: 2, of: 43, stream: null, lost: 0, kinds: [{ kind: 'cut', status: null, requests: 2 }] }],
];

test('every report says it, no verdict changes, and an application is told', async () => {
  const { code, stdout, stderr } = await ask('run --out night');
  expect(code, stderr).toBe(0);
  const report = await reportOf('night');
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(report.cells.map(() => 'pass'));
  expect(failedIn(report)).toEqual(expected);
  const said = 'service/f-500: 4 of 45 requests got no usable answer (HTTP 500)';
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  expect(report.run.notes.join()).toContain(said);
  // Two failures in a night are no more than a line of the model.
  expect(stdout).not.toContain('service/f-cut: ');
  expect(stdout).not.toContain('service/f-ok: ');
  const metrics = await fileOf('night', 'openmetrics.txt');
  expect(metrics.split('\n').filter((line) => line.startsWith('chatspec_failed_requests'))).toEqual([
    'chatspec_failed_requests{model="service/f-ok",kind="none"} 0',
    'chatspec_failed_requests{model="service/f-500",kind="http_500"} 4',
    'chatspec_failed_requests{model="service/f-cut",kind="cut"} 2',
  ]);
  const map = await loadCapabilities(JSON.parse(await fileOf('night', 'capabilities.json')) as object);
  const caveatsOf = (model: string) => chooseForm(map, { model, need: 'plain_text' })?.caveats;
  expect(caveatsOf('f-500')).toEqual(['4 of 45 requests got no usable answer (HTTP 500): send them again']);
  expect(caveatsOf('f-ok')).toEqual([]);
  expect(map.capabilities.map(({ model, caveats }) => [model, caveats.length])).toEqual([
    ['service/f-ok', 0],
    ['service/f-ok', 0],
    ['service/f-500', 1],
    ['service/f-500', 1],
    ['service/f-cut', 0],
    ['service/f-cut', 0],
  ]);
});

test('a repeated judgement, a resumed run and merged shards say the same', async () => {
  await ask('run --out whole');
  await ask('rejudge whole --out again');
  expect(failedIn(await reportOf('again'))).toEqual(expected);
  seen.clear();
  expect((await ask('run --out cut --budget-requests 50')).code).toBe(3);
  await ask('run --resume --out cut --budget-requests 500');
  expect(failedIn(await reportOf('cut'))).toEqual(expected);
  seen.clear();
  for (const shard of [1, 2]) await ask(`run --shard ${shard}/2 --out shard-${shard}`);
  await ask('merge shard-1 shard-2 --out merged');
  const merged = await reportOf('merged');
  expect(failedIn(merged)).toEqual(expected);
  expect(merged.run.notes.join()).toContain('service/f-500: 4 of 45 requests');
});
