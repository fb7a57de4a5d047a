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

/** Most requests are answered only when they are sent again: "20 of 20 trials passed" is true, and says too little. */

let cwd: string;
let service: Loopback;
const seen = new Set<string>();

/** Rows 1 to 12 of 20 get a 500 at first, of one model; rows 1 to 5 of the other. */
function fails(body: string): boolean {
  const isFirst = !seen.has(body);
  seen.add(body);
  const { model } = JSON.parse(body) as { model: string };
  const row = Number(/guest (\d+)/.exec(body)?.[1] ?? 99);
  return isFirst && row <= (model === 'most' ? 12 : 5);
}

const ask = (line: string) => chatspec(line.split(' '), { cwd });
const fileOf = (run: string, name: string) => readFile(join(cwd, run, name), 'utf8');
const reportOf = async (run: string) => JSON.parse(await fileOf(run, 'report.json')) as Report;
const again = ({ cells }: Report) => cells.map(({ model, trials }) => [model, trials.passed_again ?? null]);

beforeAll(async () => {
  service = await serveHttp((_, response, body) => {
    const status = fails(body) ? 500 : 200;
    const text = status === 500 ? '{"error":{"message":"internal error"}}' : aCompletion();
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  cwd = await lastingFolder();
  const rows = Array.from({ length: 20 }, (_, row) => `{"text":"Greet guest ${row + 1}."}\n`).join('');
  await writeFiles(cwd, {
    'chatspec.yaml': `targets: { service: { base_url: '${service.baseUrl}', models: [most, some] } }\nsuites: ['own.yaml']\n`,
    'own.yaml': [
      'suite: own',
      'forms: [{ capability: spoken, need: plain_text, order: 1 }]',
      'probes:',
      "  whole: { capability: spoken, samples: rows.jsonl, trials: 20, request: { messages: [{ role: user, content: '{{text}}' }] } }",
      '',
    ].join('\n'),
    'rows.jsonl': rows,
  });
});
beforeEach(() => seen.clear());
afterAll(() => service.close());

const counts = [
  ['service/most', 12],
  ['service/some', 5],
];
const said = '12 of 20 trials passed only when sent again';

test('each report says of which cells most trials passed only then, and so does the map', async () => {
  expect((await ask('run --out night')).code).toBe(0);
  expect(again(await reportOf('night'))).toEqual(counts);
  for (const name of ['index.html', 'capabilities.json']) {
    const text = (await fileOf('night', name)).replaceAll('\\', '');
    expect(text, name).toContain(said);
    // Less than half may be a bad moment, which the note of the model tells.
    expect(text, name).not.toContain('5 of 20 trials passed only');
  }
  expect((await ask('evidence night own/whole@service/most')).stdout).toContain(said);
  const map = await loadCapabilities(JSON.parse(await fileOf('night', 'capabilities.json')) as object);
  const caveatsOf = (model: string) => chooseForm(map, { model, need: 'plain_text' })?.caveats.join();
  expect(caveatsOf('most')).toContain(`${said}: retry as well`);
  expect(caveatsOf('some')).not.toContain('only when sent again');
});

test('a repeated judgement and a resumed run count the same', async () => {
  await ask('run --out whole');
  await ask('rejudge whole --out again');
  expect(again(await reportOf('again'))).toEqual(counts);
  seen.clear();
  expect((await ask('run --out cut --budget-requests 30')).code).toBe(3);
  await ask('run --resume --out cut --budget-requests 500');
  expect(again(await reportOf('cut'))).toEqual(counts);
});
