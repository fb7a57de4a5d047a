import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReport } from '../../test/support/build.js';
import { withoutKeyLike } from '../config/secrets.js';
import type { Json, JsonObject } from '../json/json.js';
import { compareShapes, isNoShape, type ShapeChange } from './compare-shapes.js';
import { lockText, type CapturedRequest, type RequestShape } from './shape-of.js';
import { saidByRun } from './said-by-run.js';
import * as shaping from './shape-of.js';
import { suiteOf } from './suite-of.js';

const { nameOfShape } = shaping;
const shapeOf = (one: CapturedRequest) => shaping.shapeOf(one, withoutKeyLike);
const distinctShapes = (all: readonly CapturedRequest[]) => shaping.distinctShapes(all, withoutKeyLike);

const schema = {
  type: 'object',
  properties: { buyer: { type: 'string' }, total: { type: 'number' } },
  required: ['buyer', 'total'],
  additionalProperties: false,
};
const format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
const tool = {
  type: 'function',
  function: { name: 'create_order', description: 'Orders.', strict: true, parameters: schema },
};
const basic: JsonObject = {
  model: 'big',
  messages: [{ role: 'user', content: 'The invoice of 2026-05-01, please.' }],
  max_tokens: 512,
  temperature: 0,
};

function request(body: Json, headers: Record<string, string> = {}, url = '/v1/chat/completions'): CapturedRequest {
  return { method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, body };
}
const of = (body: Json, headers?: Record<string, string>): RequestShape => shapeOf(request(body, headers));
const name = (body: Json, headers?: Record<string, string>): string => nameOfShape(of(body, headers));

describe('what a shape does not hold', () => {
  test.each<[string, JsonObject]>([
    ['the prompt', { messages: [{ role: 'user', content: 'Something else, 4711.' }] }],
    ['how many turns there are', { messages: [1, 2, 3].map((turn) => ({ role: 'user', content: `turn ${turn}` })) }],
    ['the model', { model: 'other' }],
    ['the number of output tokens', { max_tokens: 4096 }],
    ['a whole number where any number goes', { temperature: 0.7 }],
  ])('%s', (_, changes) => {
    expect(name({ ...basic, ...changes })).toBe(name(basic));
  });

  test('names, ids and the order of members', () => {
    const one = { ...basic, tools: [tool], tool_choice: { type: 'function', function: { name: 'create_order' } } };
    const renamed = { ...tool, function: { ...tool.function, name: 'fn_8f3a2c91', description: 'Other words.' } };
    const other = {
      ...{ tool_choice: { function: { name: 'fn_8f3a2c91' }, type: 'function' }, tools: [renamed] },
      ...Object.fromEntries(Object.entries(basic).reverse()),
    };
    expect(name(other)).toBe(name(one));
    const answered = (id: string) => ({
      ...basic,
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: id, arguments: `{"id":"${id}"}` } }],
        },
        { role: 'tool', tool_call_id: id, content: id },
      ],
    });
    expect(name(answered('call_1'))).toBe(name(answered('call_zz9')));
  });

  test('what the machine and the moment decide', () => {
    const sent = (more: Record<string, string>) => name(basic, { 'user-agent': 'OpenAI/JS 6.49.0', ...more });
    const same = sent({});
    for (const more of [
      { host: '127.0.0.1:4711', 'content-length': '99' },
      { 'x-stainless-os': 'Linux', 'x-stainless-arch': 'x64', 'x-stainless-runtime-version': 'v20.1.0' },
      { 'x-stainless-retry-count': '2', traceparent: '00-abc', 'idempotency-key': 'k' },
      { 'x-stainless-os-version': '6.1', 'x-stainless-kotlin-version': '2.0', 'http2-settings': 'x', upgrade: 'h2c' },
      { 'x-stainless-helper-method': 'stream', 'x-stainless-read-timeout': '600.0', 'x-stainless-timeout': '60' },
      { 'amz-sdk-request': 'attempt=1', 'x-retry-attempt': '2', 'x-client-platform': 'linux', 'x-sdk-telemetry': 'a' },
    ]) {
      expect(sent(more)).toBe(same);
    }
  });

  test('of what only reports, the values', () => {
    const sent = { 'x-stainless-os': 'Linux', 'x-stainless-helper-method': 'parse', 'x-team': 'eval', upgrade: 'h2c' };
    const { headers, reports } = of(basic, sent);
    expect([headers, reports]).toEqual([
      { 'content-type': 'application/json', 'x-team': 'string' },
      ['upgrade', 'x-stainless-helper-method', 'x-stainless-os'],
    ]);
    expect(JSON.stringify([headers, reports])).not.toMatch(/Linux|parse|h2c/);
  });

  test('a key', () => {
    const shape = of(basic, { authorization: 'Bearer sk-canary-123456', 'x-api-key': 'sk-canary-123456' });
    expect(JSON.stringify(shape)).not.toContain('canary');
    expect(shape.headers).toMatchObject({ authorization: 'Bearer string', 'x-api-key': 'string' });
  });

  test('a key, wherever it stands', () => {
    const key = 'sk-canary-a1b2c3d4e5f6';
    const canaries = {
      ...{ type: 'object', title: key, description: `Use ${key}.`, [key]: true, required: [key] },
      properties: { [`x_${key}`]: { enum: [key], const: key, default: { [key]: [key] } } },
    };
    const body = {
      ...{ ...basic, [key]: 1, tool_choice: key, reasoning_effort: key, service_tier: key, verbosity: key },
      messages: [{ role: key, content: [{ type: key, [key]: key }] }],
      response_format: { type: 'json_schema', json_schema: { name: key, schema: canaries } },
      tools: [{ type: key, function: { name: `call-${key}`, description: key, parameters: canaries } }],
      ...{ thinking: { type: key }, modalities: [key], stream_options: { [key]: true } },
    };
    const headers = {
      ...{ 'user-agent': `Shop/${key} 1.0 ${key}/2.0`, [`x-${key}`]: 'a', accept: key, 'content-type': `a; b=${key}` },
      authorization: `${key} x`,
    };
    const url = `/v1/models/${key}/%73k-canary-a1b2c3d4e5f6/chat/completions?${key}=1`;
    const shapes = distinctShapes([request(body, headers, url)]);
    expect(lockText(shapes) + suiteOf(shapes, 'application')).not.toMatch(/canary|a1b2c3/);
    const long = {
      ...schema,
      properties: { customer_billing_address_line_2: {}, customer_shipping_address_line_2: {} },
    };
    expect(JSON.stringify(of({ ...basic, tools: [{ ...tool, function: { parameters: long } }] }))).toContain(
      'customer_shipping_address_line_2',
    );
  });

  test.each([
    ['/files/file-abc123', '/files/{id}'],
    ['/users/12345/chat/completions', '/users/{id}/chat/completions'],
    ['/users/7/chat/completions', '/users/{id}/chat/completions'],
    ['/api/paas/v4/chat/completions', '/api/paas/v4/chat/completions'],
    ['/files/file-AbcdefghIjklmnopQrst/content', '/files/{id}/content'],
    ['/chat/completions/chatcmpl-8f3a2c', '/chat/completions/{id}'],
    ['/threads/6e0f9d5c-0f63-4e0b-8d3a-1f2e3d4c5b6a/runs', '/threads/{id}/runs'],
    ['/batches/0123456789abcdef', '/batches/{id}'],
    ['/models/gpt-4o-mini-2024-07-18', '/models/gpt-4o-mini-2024-07-18'],
    ['/chat/completions', '/chat/completions'],
  ])('an id in the path: %s', (path, shown) => {
    expect(shapeOf(request(basic, {}, `/v1${path}`)).request).toBe(`POST ${shown}`);
  });

  test('invariant: whatever prompts say, and in whatever order members stand, the shape is the same', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), fc.integer({ min: 1 }), (texts, model, cap) => {
        const body = {
          max_tokens: cap,
          messages: texts.map((content) => ({ content, role: 'user' })),
          temperature: 1,
          model,
        };
        return name(body) === name(basic);
      }),
    );
  });
});

describe('what a shape holds', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['the name of the cap', { max_tokens: 5 }, { max_completion_tokens: 5 }],
    [
      'the form of tool_choice',
      { tool_choice: 'required' },
      { tool_choice: { type: 'function', function: { name: 'a' } } },
    ],
    ['the value of tool_choice', { tool_choice: 'required' }, { tool_choice: 'auto' }],
    [
      'strict',
      { response_format: format },
      { response_format: { ...format, json_schema: { ...format.json_schema, strict: false } } },
    ],
    [
      'a keyword',
      { response_format: format },
      {
        response_format: { ...format, json_schema: { ...format.json_schema, schema: { ...schema, minProperties: 1 } } },
      },
    ],
    ['the form', { response_format: format }, { response_format: { type: 'json_object' } }],
    ['streaming', { stream: true }, { stream: false }],
    ['presence', {}, { seed: 1 }],
    ['a type', { stop: 'END' }, { stop: ['END'] }],
    ['a role', {}, { messages: [{ role: 'developer', content: 'x' }] }],
    ['parts of content', {}, { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }],
    ['effort', { reasoning_effort: 'low' }, { reasoning_effort: 'high' }],
    [
      'parameters of a tool',
      { tools: [tool] },
      { tools: [{ ...tool, function: { ...tool.function, parameters: { type: 'object' } } }] },
    ],
  ])('%s', (_, one, other) => {
    const bare = { model: basic['model']!, messages: basic['messages']! };
    expect(name({ ...bare, ...one })).not.toBe(name({ ...bare, ...other }));
  });

  test('headers of the library, its name and its version', () => {
    const agent = (text: string) => of(basic, { 'user-agent': text });
    expect(agent('OpenAI/JS 6.49.0').libraries).toEqual({ 'OpenAI/JS': '6.49.0' });
    expect(agent('ai/5.0.1 ai-sdk/openai-compatible/1.0.2 runtime/node.js/20').libraries).toEqual({
      ai: '5.0.1',
      'ai-sdk/openai-compatible': '1.0.2',
    });
    expect(nameOfShape(agent('OpenAI/JS 6.49.0'))).toBe(nameOfShape(agent('OpenAI/JS 6.50.1')));
    expect(agent('OpenAI/JS 6.49.0 (Linux 6.1; x64) node/20').libraries).toEqual({ 'OpenAI/JS': '6.49.0' });
    expect(name(basic, { 'x-stainless-lang': 'js' })).not.toBe(name(basic));
    for (const name of ['openai-beta', 'x-version', 'x-model-archive', 'openai-organization', 'x-request-timeout']) {
      expect(nameOfShape(of(basic, { [name]: '1' }))).not.toBe(nameOfShape(of(basic)));
    }
  });

  test.each<[Record<string, string>, Record<string, string>]>([
    [{ 'user-agent': 'AsyncOpenAI/Python 3.57.0' }, { 'OpenAI/Python': '3.57.0' }],
    [{ 'user-agent': 'OpenAIClientImpl/Java 4.101.0' }, { 'OpenAI/Java': '4.101.0' }],
    [{ 'user-agent': 'OpenAIClientAsyncImpl/Java 4.101.0' }, { 'OpenAI/Java': '4.101.0' }],
    [{ 'user-agent': 'AzureOpenAI/JS 6.49.0' }, { 'AzureOpenAI/JS': '6.49.0' }],
    [{ 'user-agent': 'AsyncWorker/2.0.0' }, { AsyncWorker: '2.0.0' }],
    [
      { 'user-agent': 'pydantic-ai/2.68.0', 'x-stainless-lang': 'python', 'x-stainless-package-version': '3.57.0' },
      { 'pydantic-ai': '2.68.0', 'OpenAI/Python': '3.57.0' },
    ],
    [
      { 'user-agent': 'OpenAI/Go 3.98.0', 'x-stainless-lang': 'go', 'x-stainless-package-version': '3.98.0' },
      { 'OpenAI/Go': '3.98.0' },
    ],
    [{ 'x-stainless-lang': 'kotlin', 'x-stainless-package-version': '4.1.0' }, { 'OpenAI/Java': '4.1.0' }],
    [{ 'x-stainless-lang': 'basic', 'x-stainless-package-version': '4.1.0' }, {}],
    [{ 'user-agent': 'langchaingo/0.1.13 Go-http-client/1.1' }, { langchaingo: '0.1.13' }],
    ...[
      ...['Go-http-client/1.1', 'Python-urllib/3.11', 'python-requests/2.32.3', 'python-httpx/0.28.1', 'okhttp/4.12.0'],
      ...['Python/3.11 aiohttp/3.9.5', 'Java-http-client/21.0.4', 'Apache-HttpClient/4.5.14 (Java/21)', 'curl/8.5.0'],
      ...['ReactorNetty/1.1.0', 'node', 'undici/7.1', 'axios/1.7.2'],
    ].map((agent): [Record<string, string>, Record<string, string>] => [{ 'user-agent': agent }, {}]),
  ])('the libraries of %j', (headers, libraries) => {
    expect(of(basic, headers).libraries).toEqual(libraries);
  });

  test('all libraries that send the same', () => {
    const sent = (...agents: string[]) =>
      distinctShapes(agents.map((agent) => request(basic, { 'user-agent': agent })));
    const [shape, ...others] = sent('openai-agents/0.24.0', 'OpenAI/Python 3.57.0', 'OpenAI/Python 2.9.0');
    expect(others).toEqual([]);
    expect(shape?.libraries).toEqual({ 'OpenAI/Python': '2.9.0, 3.57.0', 'openai-agents': '0.24.0' });
    expect(
      compareShapes(
        [shape].flatMap((one) => one ?? []),
        sent('OpenAI/Python 3.57.0'),
      ),
    ).toEqual([
      { kind: 'library', name: 'OpenAI/Python', before: '2.9.0, 3.57.0', after: '3.57.0' },
      { kind: 'library', name: 'openai-agents', before: '0.24.0', after: undefined },
    ]);
  });

  test('the version of each schema, which no order of members changes', () => {
    const versions = of({ ...basic, response_format: format, tools: [tool] }).schemas;
    expect(Object.keys(versions)).toEqual(['invoice', 'create_order']);
    const turned = Object.fromEntries(Object.entries(schema).reverse()) as JsonObject;
    const other = { ...format, json_schema: { ...format.json_schema, schema: turned } };
    expect(of({ ...basic, response_format: other }).schemas['invoice']).toBe(versions['invoice']);
  });

  test.each<[JsonObject, string]>([
    [{}, 'plain text'],
    [{ response_format: format, stream: true }, 'json_schema invoice (strict), streamed'],
    [{ tools: [tool], tool_choice: 'required' }, 'tools create_order (required)'],
    [{ tools: [{ ...tool, function: { name: 'fn_8f3a2c91' } }] }, 'tools fn_*'],
    [{ response_format: { type: 'json_object' } }, 'json_object'],
  ])('the call in words: %j', (more, words) => {
    expect(of({ ...basic, ...more }).call).toBe(words);
  });
});

test('the order and the number of equal requests do not matter', () => {
  const bodies = [basic, { ...basic, stream: true }, { ...basic, response_format: format }];
  const requests = bodies.map((body) => request(body));
  expect(distinctShapes([...requests, ...requests].reverse())).toEqual(distinctShapes(requests));
  expect(distinctShapes(requests)).toHaveLength(3);
});

describe('compared', () => {
  const shapes = (...bodies: JsonObject[]) => distinctShapes(bodies.map((body) => request(body)));
  const kinds = (changes: readonly ShapeChange[]) => changes.map(({ kind }) => kind);
  const withTools = { ...basic, tools: [tool], tool_choice: 'required' };
  const object = { ...withTools, tool_choice: { type: 'function', function: { name: 'create_order' } } };

  test('nothing has changed', () => {
    expect(compareShapes(shapes(basic, withTools), shapes(withTools, basic))).toEqual([]);
  });

  test('a call that changed is told with its places, and the others are left out', () => {
    const [change, ...others] = compareShapes(shapes(basic, withTools), shapes(basic, object));
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      kind: 'changed',
      differences: [
        { at: 'body/tool_choice', before: 'required', after: { type: 'function', function: { name: 'string' } } },
      ],
    });
  });

  test('each changed call is paired with what it was', () => {
    const streamed = (body: JsonObject) => ({ ...body, stream: true });
    const [one, other] = [{ ...basic, response_format: format }, withTools];
    const changes = compareShapes(shapes(one, other), shapes(streamed(one), streamed(other)));
    expect(kinds(changes)).toEqual(['changed', 'changed']);
    for (const change of changes) {
      expect(change).toMatchObject({ differences: [{ at: 'body/stream', before: undefined, after: true }] });
    }
  });

  test('of calls with other names, those pair that are alike, after those whose name is the same', () => {
    const [small, large] = [
      { ...withTools, seed: 1 },
      { ...withTools, top_p: 1, stop: 'END' },
    ];
    const renamed = { ...small, tool_choice: 'auto' };
    const changes = compareShapes(shapes(small, large), shapes(renamed, { ...small, stop: 'END' }));
    expect(changes.map((change) => change.kind === 'changed' && [change.before.call, change.after.call])).toEqual([
      ['tools create_order (required)', 'tools create_order (required)'],
      ['tools create_order (required)', 'tools create_order (auto)'],
    ]);
  });

  test('calls that come or go', () => {
    expect(kinds(compareShapes(shapes(basic), shapes(basic, withTools)))).toEqual(['appeared']);
    expect(kinds(compareShapes(shapes(basic, withTools), shapes(basic)))).toEqual(['vanished']);
    const embedding = distinctShapes([request({ input: 'x', model: 'e' }, {}, '/v1/embeddings')]);
    expect(kinds(compareShapes(shapes(basic), embedding))).toEqual(['appeared', 'vanished']);
  });

  test('another version of the library alone is one change', () => {
    const sent = (version: string) =>
      distinctShapes([basic, withTools].map((body) => request(body, { 'user-agent': `OpenAI/JS ${version}` })));
    expect(compareShapes(sent('6.49.0'), sent('6.50.0'))).toEqual([
      { kind: 'library', name: 'OpenAI/JS', before: '6.49.0', after: '6.50.0' },
    ]);
  });

  test('what only reports is a change of its own, once, and none against an older lock', () => {
    const sent = (headers: Record<string, string>) =>
      distinctShapes([basic, withTools].map((body) => request(body, { 'x-stainless-lang': 'java', ...headers })));
    const [older, newer] = [
      sent({ 'x-stainless-timeout': '60' }),
      sent({ 'x-stainless-os-version': '6.1', upgrade: 'h2c' }),
    ];
    const expected: ShapeChange[] = [
      { kind: 'reports', added: ['upgrade', 'x-stainless-os-version'], removed: ['x-stainless-timeout'] },
    ];
    expect(compareShapes(older, newer)).toEqual(expected);
    expect(expected.every(isNoShape)).toBe(true);
    expect(
      compareShapes(
        older.map((one) => Object.fromEntries(Object.entries(one).filter(([part]) => part !== 'reports')) as never),
        newer,
      ),
    ).toEqual([]);
  });

  test('a list of a schema is one value', () => {
    const fewer = { ...format, json_schema: { ...format.json_schema, schema: { ...schema, required: ['buyer'] } } };
    const [change] = compareShapes(
      shapes({ ...basic, response_format: format }),
      shapes({ ...basic, response_format: fewer }),
    );
    expect(change).toMatchObject({
      differences: [
        { at: 'body/response_format/json_schema/schema/required', before: ['buyer', 'total'], after: ['buyer'] },
      ],
    });
  });
});

test('what a shape needs of a model', () => {
  const used = (body: JsonObject) =>
    saidByRun({ kind: 'appeared', after: of({ ...basic, ...body }) }, aReport(), []).map(({ what }) => what);
  expect(used({})).toEqual(['chat', 'max_tokens', 'temperature']);
  expect(used({ stream: true })).toEqual(['chat', 'stream.chat', 'max_tokens', 'temperature']);
  expect(used({ response_format: format, stream: true })).toEqual(
    expect.arrayContaining(['json_schema', 'schema.additionalProperties', 'schema.required', 'stream.json_schema']),
  );
  expect(used({ tools: [tool] })).toEqual(
    expect.arrayContaining(['tool_choice.auto', 'tool_schema.properties', 'tools']),
  );
  expect(used({ tools: [tool], tool_choice: { type: 'function', function: { name: 'x' } } })).toContain(
    'tool_choice.object',
  );
  expect(used({ thinking: { type: 'disabled' } })).toContain('thinking.disabled');
  // A property may be called like a keyword.
  const odd = {
    ...format,
    json_schema: { name: 'a', schema: { type: 'object', properties: { pattern: { type: 'string' } } } },
  };
  expect(used({ response_format: odd })).not.toContain('schema.pattern');
});

test('against a run, only fields that no recorded request had are told', () => {
  const told = (after: JsonObject, ...locked: JsonObject[]) => {
    const [change] = compareShapes(
      locked.map((body) => of(body)),
      [...locked, after].map((body) => of(body)),
    );
    return change === undefined
      ? []
      : saidByRun(
          change,
          aReport(),
          locked.map((body) => of(body)),
        ).map(({ what }) => what);
  };
  const appeared = { ...basic, tools: [tool], seed: 1 };
  expect(told(appeared, basic)).toEqual(expect.arrayContaining(['seed', 'tools']));
  expect(told(appeared, basic)).not.toContain('max_tokens');
  expect(told({ ...basic, top_p: 'x', seed: 1 }, { ...basic, top_p: 1, response_format: format })).toEqual([
    'chat',
    'seed',
  ]);
});
