import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { UserError } from '../files/problems/problem.js';
import type { JsonObject } from '../json/json.js';
import { simulate, type Do, type ProfileInput, type SimulateOptions, type Simulator } from './index.js';

let simulator: Simulator;
const folder = mkdtemp(join(tmpdir(), 'simulate-'));
beforeAll(async () => {
  simulator = await simulate();
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await simulator.close();
  await rm(await folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly content: unknown;
  readonly error: unknown;
}

async function ask(model: string, more: object = {}, service = simulator): Promise<Answer> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say "pong"' }], ...more });
  const headers = { authorization: 'Bearer sk-private', 'x-api-key': 'sk-private', 'x-team': 'eval' };
  const response = await fetch(`${service.baseUrl}/chat/completions?api-key=sk-private&version=2`, {
    method: 'POST',
    body,
    headers,
  });
  const read = (await response.json()) as { choices?: { message: JsonObject }[]; error?: unknown };
  return { status: response.status, content: read.choices?.[0]?.message['content'], error: read.error };
}

async function withService<T>(options: SimulateOptions, use: (service: Simulator) => Promise<T>): Promise<T> {
  const service = await simulate(options);
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

describe('profiles of one’s own', () => {
  const text =
    'profiles:\n  - id: My/Model-1\n    extends: sim-reference\n    faults: [{ do: { content: from my profile } }]\n';
  const data = {
    id: 'My/Model-1',
    extends: 'sim-reference',
    faults: [{ do: { content: 'from my profile' } }],
  } as const;

  test.each<[string, () => ProfileInput | Promise<ProfileInput>]>([
    ['YAML text', () => text],
    ['one profile', () => data],
    ['profiles as in a file', () => ({ profiles: [data] })],
    ['a file', async () => fileWith('one.yaml')],
    ['a folder', async () => join(await fileWith('one.yaml'), '..')],
  ])('extend those of the package: %s', async (_name, input) => {
    await withService({ profiles: await input() }, async (service) => {
      expect(service.models).toEqual(expect.arrayContaining(['sim-reference', 'My/Model-1']));
      expect((await ask('My/Model-1', {}, service)).content).toBe('from my profile');
      expect((await ask('sim-reference', {}, service)).content).toBe('pong');
    });
  });

  async function fileWith(name: string): Promise<string> {
    const file = join(await folder, name);
    await writeFile(file, text);
    return file;
  }

  test('may come as a list, and extend each other', async () => {
    const child = { id: 'child', extends: 'My/Model-1', faults: [{ do: { suffix: '!' } }] };
    await withService({ profiles: [text, child] }, async (service) => {
      expect((await ask('child', {}, service)).content).toBe('from my profile!');
    });
  });

  test.each<[string, ProfileInput, string]>([
    ['an unknown action', { id: 'x', faults: [{ do: { contnet: 'x' } as Do }] }, 'unknown key "contnet"'],
    ['an id of the package', { id: 'sim-reference' }, 'the id "sim-reference" is taken by a profile of chatspec'],
    ['one that extends it', { id: 'sim-reference', extends: 'sim-reference' }, 'is taken by a profile of chatspec'],
    ['an unknown parent', 'profiles: [{ id: x, extends: sim-refrence }]', 'there is no profile "sim-refrence"'],
    ['a file that is not there', '/no/such/file.yaml', 'there is no such file'],
    ['a document that is empty', '\n', 'the file is empty'],
  ])('are refused with their place: %s', async (_name, profiles, message) => {
    const error: unknown = await simulate({ profiles }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toContain(message);
    expect((error as UserError).problems).toHaveLength(1);
    expect((error as UserError).problems[0]?.place).not.toBeNull();
  });
});

describe('the log of requests', () => {
  test('has each request with its body and the status of its answer, and no credentials', async () => {
    await ask('sim-reference', { temperature: 0.5 });
    await ask('no-such-model');
    await (await fetch(`${simulator.baseUrl}/models`)).text();
    const [first, second, third, ...rest] = simulator.requests();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions?api-key=&version=2',
      headers: { 'x-team': 'eval' },
      body: { model: 'sim-reference', temperature: 0.5 },
      status: 200,
    });
    expect([second?.status, third?.status, third?.path, third?.body]).toEqual([404, 200, '/v1/models', null]);
    expect(JSON.stringify(simulator.requests())).not.toContain('sk-private');
    simulator.clear();
    expect(simulator.requests()).toEqual([]);
  });

  test('holds no key, wherever it stands', async () => {
    const key = 'sk-canary-a1b2c3d4e5f6';
    const own = 'Sesam-open-0815-canary';
    const body = {
      ...{ model: 'sim-reference', user: key, metadata: { [key]: [{ note: `asked with ${own}` }] } },
      messages: [{ role: 'user', content: `Use ${key} for me@example.com.` }],
    };
    const url = `${simulator.baseUrl}/chat/completions?trace=${key}&${key}=1&again=%73k-canary-a1b2c3d4e5f6`;
    const headers = { authorization: `Bearer ${own}`, 'x-note': key, [`x-${key}`]: 'a', 'x-own': own };
    await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
    await (await fetch(`${simulator.baseUrl}/${key}`, { method: 'POST', body: `text with ${key}` })).text();
    const logged = JSON.stringify(simulator.requests());
    expect(logged).not.toMatch(/canary|a1b2c3|0815/);
    expect(logged).toContain('me@example.com');
    expect(simulator.requests()[0]?.headers['x-note']).toBe('[redacted]');
  });

  test('has no status where the connection breaks before the answer', async () => {
    simulator.next({ reset: 'before_headers' });
    await expect(ask('sim-reference')).rejects.toThrow();
    expect(simulator.requests().map(({ status }) => status)).toEqual([null]);
  });

  test('keeps the newest requests, and none of their largest bodies', async () => {
    await withService({ log: 3 }, async (service) => {
      for (const user of ['a', 'b', 'c', 'd']) await ask('sim-reference', { user }, service);
      expect(service.requests().map(({ body }) => (body as JsonObject)['user'])).toEqual(['b', 'c', 'd']);
      await ask('sim-reference', { user: 'x'.repeat(2 ** 20) }, service);
      expect(service.requests().at(-1)?.body).toBeNull();
    });
  });
});

describe('overrides', () => {
  const failing = { respond: { status: 500, body: { error: { message: 'on purpose' } } } };

  test('next changes one request', async () => {
    simulator.next(failing);
    expect(await ask('sim-reference')).toEqual({ status: 500, content: undefined, error: { message: 'on purpose' } });
    expect((await ask('sim-reference')).content).toBe('pong');
  });

  test('several of them are taken in turn, also by requests at the same time', async () => {
    simulator.next({ content: 'first' });
    simulator.next({ content: 'second' });
    const answers = await Promise.all([1, 2, 3].map(() => ask('sim-reference')));
    expect(answers.map(({ content }) => content).sort()).toEqual(['first', 'pong', 'second']);
  });

  test('override holds for what matches, until it is taken back', async () => {
    const takeBack = simulator.override({ model: 'sim-reference', stream: false, prompt: 'pong' }, failing);
    expect((await ask('sim-reference')).status).toBe(500);
    expect((await ask('sim-reference')).status).toBe(500);
    expect((await ask('pro-sim-reference')).status).toBe(200);
    expect((await ask('sim-reference', { messages: [{ role: 'user', content: 'Hello' }] })).status).toBe(200);
    takeBack();
    expect((await ask('sim-reference')).status).toBe(200);
  });

  test('override may be for some requests only', async () => {
    simulator.override({}, failing, { times: 2 });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await ask('sim-reference')).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test('come before the faults of the model', async () => {
    simulator.next({ respond: { status: 418 } });
    expect((await ask('sim-auth')).status).toBe(418);
  });

  test('can dictate a call', async () => {
    simulator.next({ call: { name: 'create_order', arguments: { total: 897 } } });
    const response = await fetch(`${simulator.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'sim-reference', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(await response.json()).toMatchObject({
      choices: [
        {
          message: { content: null, tool_calls: [{ function: { name: 'create_order', arguments: '{"total":897}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
    });
  });

  test('refuse what the language of profiles does not have', () => {
    expect(() => simulator.next({ contnet: 'x' } as Do)).toThrow(UserError);
    expect(() => simulator.override({ strean: true } as object, failing)).toThrow('unknown key "strean"');
    expect(() => simulator.next({})).toThrow('this must not be empty');
  });
});

test('reset starts again: the same requests get the same answers', async () => {
  const say = async () => [
    (await ask('sim-reference', { messages: [{ role: 'user', content: 'Talk.' }] })).content,
    (await ask('sim-reference', { messages: [{ role: 'user', content: 'Talk.' }] })).content,
    (await ask('sim-reference', { messages: [{ role: 'user', content: 'Talk.' }] })).content,
  ];
  const before = await say();
  simulator.next({ respond: { status: 500 } });
  simulator.reset();
  expect([simulator.requests(), simulator.stats().requests]).toEqual([[], 0]);
  expect(await say()).toEqual(before);
});

test('answerAs lets one model answer, whatever is named', async () => {
  simulator.answerAs('sim-rf-empty');
  const json = { response_format: { type: 'json_object' } };
  expect(await ask('gpt-9', json)).toMatchObject({ status: 200, content: '' });
  simulator.answerAs(null);
  expect((await ask('gpt-9', json)).status).toBe(404);
  expect(() => simulator.answerAs('sim-refrence')).toThrow('there is no model "sim-refrence"');
});

test('the same question gets the same words from every model', async () => {
  const said = async (model: string) => (await ask(model, { messages: [{ role: 'user', content: 'Talk.' }] })).content;
  const [one, two] = [await said('sim-reference'), await said('sim-reference')];
  expect([await said('pro-sim-reference'), await said('pro-sim-reference')]).toEqual([one, two]);
});

test('tells about one model, and that there is no such model', async () => {
  const get = async (id: string) => {
    const response = await fetch(`${simulator.baseUrl}/models/${id}`);
    return [response.status, await response.json()];
  };
  expect(await get('sim-reference')).toMatchObject([200, { id: 'sim-reference', object: 'model' }]);
  expect(await get('no%2Fsuch')).toMatchObject([404, { error: { code: 'model_not_found' } }]);
  await withService({ profiles: { id: 'My/Model-1' } }, async ({ baseUrl }) => {
    for (const id of ['My/Model-1', 'My%2FModel-1']) expect((await fetch(`${baseUrl}/models/${id}`)).status).toBe(200);
  });
});
