import { serveHttp } from '../support/loopback.js';
import { gzipSync } from 'node:zlib';
import { createContext, runInContext } from 'node:vm';
import { join } from 'node:path';
import OpenAI from 'openai';
import { request as undiciRequest, fetch as undiciFetch } from 'undici';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { judge, type Judgement } from '../../src/judge/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { runNode } from '../support/run-node.js';

/**
 * A request with a schema, as clients of the embedded service make it, and the document that its reference model
 * answers.
 */
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
};
const wanted = { city: 'Paris', unit: 'celsius' };
const messages = [{ role: 'user' as const, content: `The weather, please, as JSON: ${JSON.stringify(wanted)}` }];

let service: Simulator;
let client: OpenAI;
beforeAll(async () => {
  service = await startSimulator({ seed: 1 });
  client = new OpenAI({ baseURL: service.baseUrl, apiKey: 'sk-simulator', maxRetries: 0 });
});
afterAll(() => service.close());

const format = { type: 'json_schema' as const, json_schema: { name: 'weather', strict: true, schema } };
const asking = (model: string) => ({ model, messages, response_format: format, temperature: 0.7 });
const passed = { passed: true, class: null, value: wanted, retry: { step: 'none', again: false } };

const post = (body: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-simulator' },
  body: JSON.stringify(body),
});
const address = (): string => `${service.baseUrl}/chat/completions`;

describe('the judge takes what clients give', () => {
  const request = asking('sim-reference');

  test('a response of fetch, a promise of one, and what was read of one', async () => {
    const read = await fetch(address(), post(request));
    const { status, headers } = read;
    for (const outcome of [
      await judge(await fetch(address(), post(request)), { request }),
      await judge(fetch(address(), post(request)), { request }),
      judge({ status, headers, body: await read.text(), url: read.url }, { request }),
    ]) {
      expect(outcome).toMatchObject(passed);
      expect(outcome.log).toMatchObject({
        ...{ model: 'sim-reference', request_path: '/v1/chat/completions', http_status: 200, finish_reason: 'stop' },
        ...{ stream: false, temperature: 0.7, max_tokens: null, thinking: { type: null }, request_time: null },
        schema_version: expect.stringMatching(/^weather sha256:[0-9a-f]{64}$/) as string,
        traceresponse: expect.any(String) as string,
        id: expect.any(String) as string,
        usage: { total_tokens: expect.any(Number) as number },
      });
    }
  });

  test('answers of undici', async () => {
    expect(await judge(undiciFetch(address(), post(request)), { request })).toMatchObject(passed);
    expect(await judge(await undiciRequest(address(), post(request)), { request })).toMatchObject(passed);
  });

  test('completions and streams of the openai client', async () => {
    const { chat } = client;
    expect(judge(await chat.completions.create(request), { request })).toMatchObject(passed);
    const both = await judge(await chat.completions.create(request).withResponse(), { request });
    expect(both).toMatchObject({ ...passed, log: { traceresponse: expect.any(String) as string } });
    const streamed = { ...request, stream: true as const };
    expect(await judge(chat.completions.create(streamed), { request: streamed })).toMatchObject(passed);
    const chunks = [];
    for await (const chunk of await chat.completions.create(streamed)) chunks.push(chunk);
    expect(judge(chunks, { request: streamed })).toMatchObject({ ...passed, quirks: [] });
    expect(judge(chunks.slice(0, 3), { request: streamed })).toMatchObject({
      ...{ class: 'transport', fault: true, detail: 'the stream ended without a finish_reason' },
      retry: { step: 'retry', again: true },
    });
  });

  test('errors of the openai client', async () => {
    const caught = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters: schema } }];
    const forced = { type: 'function' as const, function: { name: 'get_weather' } };
    const object = { model: 'sim-object-400-thinking', messages, tools, tool_choice: forced };
    const refused = await caught(client.chat.completions.create(object));
    expect(judge(refused, { request: object })).toMatchObject({
      ...{ class: 'http_error', reason: 'tool_choice_thinking', status: 400, fault: false },
      retry: { step: 'change_request', again: true, changes: { tool_choice: 'required', tools } },
    });
    const nowhere = new OpenAI({ baseURL: 'http://127.0.0.1:9/v1', apiKey: 'k', maxRetries: 0 });
    expect(judge(await caught(nowhere.chat.completions.create(request)), { request })).toMatchObject({
      ...{ class: 'transport', status: null, fault: true },
      retry: { step: 'retry', again: true, after_seconds: null },
    });
    const silent = await serveHttp(() => undefined);
    onTestFinished(() => silent.close());
    const unanswered = new OpenAI({ baseURL: `http://127.0.0.1:${silent.port}/v1`, apiKey: 'none', maxRetries: 0 });
    const hurried = unanswered.chat.completions.create(request, { timeout: 50 });
    expect(judge(await caught(hurried), { request })).toMatchObject({ class: 'transport', fault: true });
    expect(() => judge(new TypeError('x is not a function'), { request })).toThrow('x is not a function');
  });
});

test('the example retries with less randomness, then asks in another form, and gives up on faults', async () => {
  const example = join(process.cwd(), 'examples', 'judge-fallback.mjs');
  const order = { buyer: 'Li Lei', total: 897 };
  const direct = await runNode([example, service.baseUrl, 'sim-reference'], {});
  expect(direct).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(direct.stdout)).toMatchObject({ form: 'json_schema', order });
  const degraded = await runNode([example, service.baseUrl, 'sim-rf-prose'], {});
  expect(JSON.parse(degraded.stdout)).toMatchObject({ form: 'tool_call', order });
  const lines = degraded.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { class: string; temperature: number; next: string });
  expect(lines.map((line) => [line.class, line.temperature, line.next])).toEqual([
    ['not_json', 0.7, 'lower_temperature'],
    ['not_json', 0, 'other_form'],
  ]);
  const nowhere = await runNode([example, 'http://127.0.0.1:9/v1', 'm'], {});
  expect(nowhere.code).toBe(1);
  expect(nowhere.stderr.trim().split('\n')).toHaveLength(2);
});

describe('the bundle for a browser', () => {
  let code = '';
  beforeAll(async () => {
    const bundle = await rolldown({ input: 'src/judge/index.ts', platform: 'browser', logLevel: 'silent' });
    const { output } = await bundle.generate({ format: 'iife', name: 'chatspec', minify: true });
    expect(output).toHaveLength(1);
    code = output[0].code;
  });

  test('holds no module of Node and makes no code from text, and is smaller than 78 kB', () => {
    expect(code).not.toMatch(
      /node:|\brequire\(|\bimport\(|\beval\b|\bnew Function\b|\bFunction\(|\bprocess\.|\bBuffer\./,
    );
    expect(gzipSync(code).length).toBeLessThan(78_000);
  });

  test('judges where there is nothing but JavaScript and two standards of the web, and code from text is forbidden', () => {
    const request = { ...asking('m'), max_tokens: 20 };
    const document = JSON.stringify(wanted);
    const completion = (content: string, finish: string) => ({
      ...{ id: 'c-1', object: 'chat.completion', model: 'm' },
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
      usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 },
    });
    const answers = [
      completion(document, 'stop'),
      completion('{"city":"Paris","unit":"kelvin"}', 'stop'),
      completion(document.slice(0, 9), 'length'),
    ];
    const context = createContext(
      { text: JSON.stringify({ answers, request }), URL, TextEncoder },
      { codeGeneration: { strings: false, wasm: false } },
    );
    const script = `${code}\nconst { answers, request } = JSON.parse(text); JSON.stringify(answers.map((answer) => chatspec.judge(answer, { request })));`;
    const judged = JSON.parse(runInContext(script, context) as string) as readonly Judgement[];
    expect(judged).toEqual(JSON.parse(JSON.stringify(answers.map((answer) => judge(answer, { request })))));
    expect(judged).toMatchObject([
      { passed: true, value: wanted, log: { id: 'c-1' } },
      { class: 'schema_violation', violations: [{ at: '/unit' }], retry: { step: 'lower_temperature' } },
      { class: 'truncated', retry: { step: 'larger_max_tokens', changes: { max_tokens: 40 } } },
    ]);
  });
});
