import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chatspec, transcript, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** `doctor` asks every model once, and tells a misspelt id from a model that is gone. */

let folder: string;
let service: Awaited<ReturnType<typeof serveHttp>>;
/** What the service knows, and whether it lists it. */
let known: readonly string[];
let isListed: boolean;
let asked: string[];
let atOnce: { now: number; most: number };
/** The first answers come when so many have asked. */
let gate: { readonly least: number; readonly open: (() => void)[] };

beforeEach(async () => {
  folder = await tempFolder();
  known = ['model-a', 'model-b', 'vendor/large-2'];
  isListed = true;
  asked = [];
  atOnce = { now: 0, most: 0 };
  gate = { least: 1, open: [] };
  service = await serveHttp((request, response, body) => {
    if (request.url?.endsWith('/models') === true) {
      asked.push('GET /models');
      response.writeHead(isListed ? 200 : 404, { 'content-type': 'application/json' });
      response.end(isListed ? JSON.stringify({ object: 'list', data: known.map((id) => ({ id })) }) : '{}');
      return;
    }
    const { model } = JSON.parse(body) as { model: string };
    asked.push(model);
    atOnce.now += 1;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
    gate.open.push(() => {
      atOnce.now -= 1;
      const choices = [{ message: { content: `I am ${model}` }, finish_reason: 'stop' }];
      const isKnown = known.includes(model);
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isKnown
            ? { id: 'x', model, choices }
            : { error: { message: `The model ${model} does not exist`, code: 'model_not_found' } },
        ),
      );
    });
    if (atOnce.most >= gate.least) for (const answer of gate.open.splice(0)) setTimeout(answer, 30);
  });
});
afterEach(() => service.close());

const configure = (models: string, limits = '{ concurrency: 4 }', more = '') =>
  writeFiles(folder, {
    'chatspec.yaml': `${more}targets:\n  real: { base_url: '${service.baseUrl}', limits: ${limits}, models: [${models}] }\nsuites: [shop.yaml]\n`,
    'shop.yaml': 'suite: shop\nprobes:\n  hello: { request: { messages: [{ role: user, content: Hi. }] } }\n',
  });
const doctor = (line = '') => chatspec(['doctor', ...line.split(' ').filter((word) => word !== '')], { cwd: folder });

test('asks every model once, and no more at a time than the limits allow', async () => {
  await configure('model-a, model-b, vendor/large-2', '{ concurrency: 2 }');
  gate = { least: 2, open: [] };
  const { code, stdout } = await doctor();
  expect(code).toBe(0);
  expect([...asked].sort()).toEqual(['model-a', 'model-b', 'vendor/large-2']);
  expect(atOnce.most).toBe(2);
  expect(stdout.match(/: ok$/gm)).toHaveLength(3);
  expect(stdout.match(/addresses for other tools/g)).toHaveLength(1);
});

test.each([
  ['--model real/model-b', ['model-b']],
  ['--model vendor/large-2', ['vendor/large-2']],
  ['--model large', ['vendor/large-2']],
  ['--model model-a,large', ['model-a', 'vendor/large-2']],
  ['--model model-a --model real/model-b', ['model-a', 'model-b']],
])('%s', async (options, models) => {
  await configure('model-a, model-b, { id: vendor/large-2, as: large }');
  expect((await doctor(options)).code).toBe(0);
  expect([...asked].sort()).toEqual(models);
});

describe('a model that the service does not know', () => {
  test('is unknown, with near ids from its list', async () => {
    await configure('model-a, vendor/lage-2');
    const result = await doctor();
    expect(result.code).toBe(3);
    const text = transcript('doctor', result, folder);
    await expect(text).toMatchFileSnapshot('__snapshots__/cli/doctor-unknown.txt');
    expect(asked.filter((one) => one === 'GET /models')).toHaveLength(1);
  });

  test.each([
    ['lists nothing near', 'llama-9', true, 'no id in its /models is close: model-a, model-b, vendor/large-2'],
    ['has no list', 'model-c', false, 'it has no list under /models'],
  ])('whose service %s', async (_, model, lists, says) => {
    isListed = lists;
    await configure(`model-a, ${model}`);
    const { stdout } = await doctor();
    expect(stdout).toContain('UNKNOWN');
    expect(stdout).toContain(says);
  });
});

test.each([
  ['*@real/*', "[{ cells: '*@real/*', trials: 12 }]"],
  ['shop/hello', "['shop/hello']"],
  ['shop/hello@real/model-*', "[{ cells: 'shop/hello@real/model-*', trials: 3 }]"],
])('a misspelt id is unknown, not gone, although the baseline covers %s', async (_, covers) => {
  await configure('model-a, model-bb', undefined, 'baseline: baseline.yaml\n');
  await writeFiles(folder, { 'baseline.yaml': `format: chatspec-baseline/1\ncovers: ${covers}\nexpect: []\n` });
  expect((await doctor()).stdout).toContain('real/model-bb: UNKNOWN');
  const { code, stdout } = await chatspec(['run', '--out', 'run'], { cwd: folder });
  expect(code).toBe(3);
  expect(stdout).not.toMatch(/gone|no longer known/);
  expect(stdout).toContain('Check the id');
  // Seen in the newest run, it is gone once the service does not know it.
  known = ['model-a', 'model-bb'];
  await chatspec(['run'], { cwd: folder });
  known = ['model-a'];
  expect((await chatspec(['run'], { cwd: folder })).code).toBe(1);
});

describe('an answer that is none, and a refusal that says what it wants', () => {
  const body = (content: string, finish_reason: string) => ({
    id: 'x',
    choices: [{ message: { content }, finish_reason }],
  });
  const refused = (message: string) => ({ error: { message, type: 'invalid_request_error' } });

  test.each([
    ['runs to the cap', 200, body('Hello! '.repeat(60), 'length'), 'repeats itself'],
    ['is cut', 200, body('Hello, my', 'length'), 'Raise `max_tokens`'],
    ['is empty at the cap', 200, body('', 'length'), 'Raise `max_tokens`'],
    ['is empty', 200, body('', 'stop'), 'Treat it as a failure'],
    [
      'wants another name',
      400,
      refused("'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
      'rename: { max_tokens: max_completion_tokens }',
    ],
    ['wants a stream', 400, refused('This model only supports stream mode.'), 'request: { stream: true }'],
  ])('%s', async (_, status, answer, says) => {
    const odd = await serveHttp((__, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
    const models = `targets: { odd: { base_url: '${odd.baseUrl}', models: [m] } }\n`;
    await writeFiles(folder, { 'chatspec.yaml': models });
    const { code, stdout } = await doctor();
    await odd.close();
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining(says) as string });
    expect(stdout).toContain('odd/m: NOT OK');
  });
});

describe('what several models meet alike is told once', () => {
  const targets = (baseUrl: string) =>
    Object.fromEntries(
      ['one', 'two'].map((name) => [name, { base_url: baseUrl, api_key_env: 'KEY', models: ['a', 'b'] }]),
    );
  const ask = (baseUrl: string, env = { KEY: 'sk-doctor-0123' }) =>
    writeFiles(folder, { 'chatspec.yaml': JSON.stringify({ targets: targets(baseUrl) }) }).then(() =>
      chatspec(['doctor'], { cwd: folder, env }),
    );
  const told = (text: string) => text.split('\n').filter((line) => line.includes('NOT OK'));

  test('a service that is down', async () => {
    const { code, stdout } = await ask('http://127.0.0.1:9/v1');
    expect(code).toBe(3);
    expect(told(stdout)).toEqual(['one/a, one/b, two/a, and two/b: NOT OK']);
    expect(stdout.match(/next step/g)).toHaveLength(1);
    const { stdout: json } = await chatspec(['doctor', '--json'], { cwd: folder, env: { KEY: 'sk-doctor-0123' } });
    expect(JSON.parse(json)).toHaveLength(4);
  });

  test('a refusal that differs in what differs from one request to the next, and not one that says something else', async () => {
    let count = 0;
    const refusing = await serveHttp((_, response, body) => {
      const { model } = JSON.parse(body) as { model: string };
      const message = model === 'a' ? `No access to ${model} (request ${(count += 1)}f)` : 'It is being repaired';
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    });
    const { stdout } = await ask(refusing.baseUrl);
    await refusing.close();
    expect(told(stdout)).toEqual(['one/a and two/a: NOT OK', 'one/b and two/b: NOT OK']);
  });

  test('a key that does not begin with sk-, of whichever targets', async () => {
    const { stderr } = await ask('http://127.0.0.1:9/v1', { KEY: 'abcdef-0123' });
    expect(stderr.match(/does not begin with sk-/g)).toHaveLength(1);
  });
});
