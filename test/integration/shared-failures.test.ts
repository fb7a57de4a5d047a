import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/matrix/report-format.js';
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

test('an alarm is looked for again over all cells that can show it, and not only where it was seen', async () => {
  await night('run --out red --fail-on never', every(7));
  await night('run --last-failed red --out again --fail-on never', every(7));
  const again = await reportOf('again');
  expect(again.cells).toHaveLength(cells);
  expect(again.models).toMatchObject([{ id: 'service/m-bad', shared_failures: [{ failed: 24, total: 160, runs: 2 }] }]);
  expect((await night('run --last-failed red --out mended', none)).code).toBe(0);
});
