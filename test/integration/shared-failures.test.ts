import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseForm } from '../../src/capabilities/choose-form.js';
import { loadCapabilities } from '../../src/capabilities/load-capabilities.js';
import type { Report } from '../../src/index.js';
import { aCompletion } from '../support/build.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { type Loopback, serveHttp } from '../support/loopback.js';

/** A model fails a share of all its answers in a new way, and no cell proves it: from the red night on, every output tells. */

let cwd: string;
let service: Loopback;
/** Which cells of `m-bad` fail the first time that they are asked in a night. */
let failing: (cell: number) => boolean;
let seen: Set<string>;

const cells = 80;
const capabilities = 20;

function answer(response: ServerResponse, body: string) {
  const { model, messages } = JSON.parse(body) as { model: string; messages: readonly { content: string }[] };
  const cell = /number (\d+)/.exec(messages[0]?.content ?? '')?.[1];
  const isFirst = cell !== undefined && !seen.has(cell);
  if (model === 'm-bad' && cell !== undefined) seen.add(cell);
  const isSpoilt = model === 'm-bad' && isFirst && failing(Number(cell));
  const spoilt = '{"error":{"message":"The server had an error","type":"server_error"}}';
  response.writeHead(200, { 'content-type': 'application/json' }).end(isSpoilt ? spoilt : aCompletion());
}

const ask = (line: string) => chatspec(line.split(' '), { cwd });
const fileOf = (run: string, name: string) => readFile(join(cwd, run, name), 'utf8');
const reportOf = async (run: string) => JSON.parse(await fileOf(run, 'report.json')) as Report;

/** A night in which these cells fail once. */
function night(line: string, shown: (cell: number) => boolean) {
  [failing, seen] = [shown, new Set()];
  return ask(line);
}
const none = () => false;
const every = (step: number) => (cell: number) => cell % step === 1;

beforeEach(async () => {
  service = await serveHttp((_, response, body) => answer(response, body));
  cwd = await lastingFolder();
  const probe = (index: number) =>
    `  cell-${index}: { capability: kind-${index % capabilities}, request: { messages: [{ role: user, content: Say the number ${index}. }] } }`;
  await writeFiles(cwd, {
    'chatspec.yaml': `targets: { service: { base_url: '${service.baseUrl}', limits: { concurrency: 1 }, models: [m-bad, m-good] } }\nsuites: ['own.yaml']\nbaseline: baseline.yaml\n`,
    'own.yaml': [
      'suite: own',
      'forms: [{ capability: kind-0, need: plain_text, order: 1 }]',
      'probes:',
      ...Array.from({ length: cells }, (_, index) => probe(index)),
      '',
    ].join('\n'),
  });
  await night('run --out base --fail-on never', none);
  await ask('baseline accept base');
});
afterEach(() => service.close());

const sentence = '12 of 80 answers fail with malformed_response (server_error): retry';
const plain = (text: string) => text.replaceAll('\\', '').replaceAll(/\s+/g, ' ');

test('a red night is told wherever somebody reads only what to use', async () => {
  const { code, stdout } = await night('run --out red', every(7));
  expect(code).toBe(1);
  await ask('report red --format ctrf,openmetrics,issue --out texts');
  const { recommendations } = await reportOf('red');
  const caveats = recommendations.map(({ model, caveats: all = [] }) => [model, all.includes(sentence)]);
  expect(caveats).toEqual([
    ['service/m-bad', true],
    ['service/m-good', false],
  ]);
  const map = await loadCapabilities(join(cwd, 'red'));
  const chosen = chooseForm(map, { model: 'm-bad', need: 'plain_text', now: map.needs[0]?.date ?? 0 });
  expect(chosen?.caveats).toContain(sentence);
  for (const { model, supported, caveats: all } of map.capabilities)
    if (supported === true) expect(all.includes(sentence)).toBe(model === 'service/m-bad');
  expect(plain(stdout)).toContain(sentence);
  for (const name of ['index.html', 'report.md']) expect(plain(await fileOf('red', name)), name).toContain(sentence);
  for (const name of ['red/junit.xml', 'texts/ctrf.json', 'texts/issue.json']) {
    const text = plain(await fileOf('.', name));
    expect(text, name).toContain('in 12 of 80 first trials, 0 of 80 before');
    expect(text, name).not.toContain('0 of 0 fresh');
  }
  expect(await fileOf('texts', 'openmetrics.txt')).toContain(
    'chatspec_shared_failure{model="service/m-bad",class="malformed_response",reason="server_error",alarm="true"} 0.15',
  );
});

test('an alarm is looked for again over all cells that can show it, and not only where it was seen', async () => {
  await night('run --out red --fail-on never', every(7));
  await night('run --last-failed red --out again --fail-on never', every(7));
  const again = await reportOf('again');
  expect(again.cells).toHaveLength(cells);
  expect(again.models).toMatchObject([{ id: 'service/m-bad', shared_failures: [{ failed: 24, total: 160, runs: 2 }] }]);
  const { stdout, code } = await night('run --last-failed red --out mended', none);
  expect(code).toBe(0);
  expect(plain(stdout)).toContain('together, its 80 judged cells fail no more often than before');
});

test('a doubt says how to settle it, and is settled by that run, but not by one that asks a few cells', async () => {
  const first = await night('run --out doubt', every(14));
  expect(first.code).toBe(0);
  expect(plain(first.stdout)).toContain('more answers of service/m-bad fail than chance explains');
  expect(first.stdout).toContain('chatspec run --last-failed doubt');
  await ask('report doubt --site site --history .');
  expect(await fileOf('site', 'index.html')).toContain('none; service/m-bad in doubt');
  expect(await fileOf('site', 'index.html')).toContain('In doubt: more answers of the model failed');
  const few = await night('run --only own/cell-1,own/cell-2@service/m-bad --out few', none);
  expect(plain(few.stdout)).toContain('more answers of service/m-bad fail than chance explains');
  const others = await night('run --models m-good --only own/cell-1 --out others', none);
  expect(others.code).toBe(0);
  const { code, stdout } = await night('run --last-failed doubt --out settled', every(8));
  expect((await reportOf('settled')).models).toMatchObject([
    { shared_failures: [{ failed: 16, total: 160, runs: 2 }] },
  ]);
  expect(code).toBe(1);
  expect(plain(stdout)).toContain('together, its 80 judged cells show that it is there');
});
