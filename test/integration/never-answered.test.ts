import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Issue } from '../../src/report/formats/render-issue.js';
import type { Report } from '../../src/index.js';
import { aCompletion } from '../support/build.js';
import { type CliResult, chatspec, writeFiles } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { type Loopback, serveHttp } from '../support/loopback.js';

/** A service stops to serve streams, in each of the ways in which that says nothing about the model. */

let cwd: string;
let service: Loopback;
/** By model: how it answers a request with `stream: true`, once it does. */
let isBroken = false;

const json = { 'content-type': 'application/json' };
const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const error = (message: string) => JSON.stringify({ error: { message } });

const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  cut: (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(chunk({ content: 'Hel' }, null)),
  forbidden: (response) => void response.writeHead(403, json).end(error('Streaming is not enabled for this project')),
  busy: (response) => void response.writeHead(503, json).end(error('upstream is busy')),
  hangs: (response) => void response.destroy(),
};

function answer(response: ServerResponse, body: string) {
  const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean };
  if (stream !== true) return void response.writeHead(200, json).end(aCompletion());
  const fault = isBroken ? faults[model] : undefined;
  if (fault !== undefined) {
    fault(response);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunk({ role: 'assistant', content: 'Hello.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
}

const ask = async (line: string): Promise<CliResult> => {
  const result = await chatspec(line.split(' '), { cwd });
  return { ...result, stdout: result.stdout.replaceAll(/\s+/g, ' ') };
};
const reportOf = async (run: string) => JSON.parse(await readFile(join(cwd, run, 'report.json'), 'utf8')) as Report;
const issueOf = async (run: string) => JSON.parse((await ask(`report ${run} --format issue`)).stdout) as Issue;

let night: CliResult;

beforeAll(async () => {
  service = await serveHttp((_, response, body) => answer(response, body));
  cwd = await lastingFolder();
  const request = 'messages: [{ role: user, content: Say hello. }]';
  const models = ['fine', ...Object.keys(faults)].join(', ');
  await writeFiles(cwd, {
    'chatspec.yaml': [
      `targets: { svc: { base_url: '${service.baseUrl}', limits: { retries: 1 }, models: [${models}] } }`,
      "suites: ['own.yaml']",
      'baseline: baseline.yaml',
      'max_unmeasured: 0.3',
    ].join('\n'),
    'own.yaml': [
      'suite: own',
      'probes:',
      `  plain: { capability: chat, request: { ${request} }, vary: { max_tokens: [64, 128, 256, 512, 1024] } }`,
      `  pieces: { capability: stream.chat, request: { ${request}, stream: true }, vary: { max_tokens: [64, 128] } }`,
    ].join('\n'),
  });
  for (const line of ['run --out runs/1', 'baseline accept runs/1', 'run --out runs/2']) {
    const { code, stderr } = await ask(line);
    if (code !== 0) throw new Error(stderr);
  }
  isBroken = true;
  night = await ask('run --out runs/3');
});
afterAll(() => service.close());

test('the night before was quiet', async () => {
  const issue = await issueOf('runs/2');
  expect([issue.state, issue.title]).toEqual(['closed', expect.stringContaining('as before')]);
});

test('the night is not called quiet, though nothing is judged otherwise', () => {
  expect(night.code).toBe(0);
  expect(night.stdout).toMatch(/^○ 4 models could not be measured /);
  expect(night.stdout).toContain('stream');
});

test('the issue is opened', async () => {
  const { state, title, body } = await issueOf('runs/3');
  expect([state, title]).toEqual(['open', 'Conformance: 4 models could not be measured']);
  expect(body).toContain('8 checks could not be measured');
});

describe.each(Object.keys(faults))('streams of a model that are answered like this: %s', (model) => {
  test('are named in a note of the report', async () => {
    const { run } = await reportOf('runs/3');
    expect(run.notes.filter((note) => note.includes('stream'))).toEqual([expect.stringContaining(`svc/${model}`)]);
  });

  test('cannot be compared with those of another', async () => {
    const { code, stdout } = await ask(`diff runs/3 --models fine ${model}`);
    expect(code).toBe(3);
    expect(stdout).toContain(`2 checks that passed in svc/fine could not be measured in svc/${model}.`);
    expect((await ask(`diff runs/3 --models ${model} fine`)).code).toBe(0);
  });
});

test('judged again, the night says the same', async () => {
  await ask('rejudge runs/3 --out runs/3-again');
  expect((await reportOf('runs/3-again')).run.notes).toEqual((await reportOf('runs/3')).run.notes);
});
