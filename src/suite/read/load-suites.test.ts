import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSuites } from './load-suites.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'chatspec-load-'))));
afterAll(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const place = { file: 'chatspec.yaml', line: 1, column: 1 };
async function load(...patterns: readonly string[]) {
  return loadSuites(
    patterns.map((pattern) => ({ pattern, place })),
    folder,
  );
}

const schema = JSON.stringify({
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
});

const orders = `
suite: orders
title: Order tool
vars: { buyer: Li Lei }
defaults: { request: { max_tokens: 1024, temperature: 0 } }
probes:
  plain:
    request: { messages: [{ role: user, content: "Say hello to {{buyer}}." }], temperature: ~ }
  create-order:
    title: Each tool_choice on create_order
    capability: "tool_choice.{{tool_choice}}"
    tags: [smoke, nightly]
    needs: [orders/plain]
    request:
      messages: [{ role: user, content: "{{text}}" }]
      tools: [{ type: function, function: { name: create_order, strict: true, parameters: { $ref: ../fixtures/create-order.json } } }]
    samples: ../fixtures/texts.jsonl
    vary:
      tool_choice:
        auto: auto
        absent: ~
        object: { type: function, function: { name: create_order } }
      thinking: { settings: thinking }
      max_tokens: [512, 2048, ~]
      template_thinking: { at: /chat_template_kwargs/enable_thinking, points: { "on": true, "off": false } }
    combine: each
    exclude: [{ tool_choice: object, thinking: default }]
    include: [{ tool_choice: object, thinking: disabled, max_tokens: 2048 }]
    expect:
      tool_call: create_order
      schema: { $ref: ../fixtures/create-order.json }
      finish_reason: [stop, tool_calls]
      rejected: { status: [400, 422], reason: json_word_required, only: false }
      rules: [{ id: total, assert: "value.total = 897", message: "the total is the one in the order" }]
    when: [{ point: { max_tokens: 512 }, expect: { tool_call: optional } }]
    trials: { until: decided, reliable: 0.9 }
    retry: { on: [not_json, schema_violation], max: 2 }
  flow:
    steps:
      - { id: call, request: { messages: [], max_tokens: 5 }, expect: { content: any } }
      - { id: tool, run: { result: { ok: true } } }
      - { id: summary, request: { messages: [{ role: user, content: "{{json steps.tool.result}}" }] } }
  cap:
    request: { messages: [] }
    find: { axis: max_tokens, from: 16, to: 16384 }
    trials: 3
  keyword:
    enforce: { keyword: enum, schema: { type: string, enum: [a] }, valid: a, invalid: b }
behaviours:
  - { id: b, title: t, when: "true", advice: a }
`;

describe('loadSuites', () => {
  beforeAll(() =>
    write({
      'package.json': '{}',
      'suites/orders.yaml': orders,
      'fixtures/create-order.json': schema,
      'fixtures/texts.jsonl': '{"text":"one"}\n\n{"text":"two"}\n',
    }),
  );

  test('reads every form of the documented suite', async () => {
    const { suites, problems } = await load('suites/*.yaml');
    expect(problems).toEqual([]);
    const [suite] = suites;
    expect(suite).toMatchObject({ name: 'orders', title: 'Order tool', file: join(folder, 'suites/orders.yaml') });
    expect(suite!.behaviours).toMatchObject([{ id: 'b', place: { line: 50, column: 11 } }]);
    const [plain, order, flow, cap, keyword] = suite!.probes;
    expect(plain!).toMatchObject({
      suite: 'orders',
      name: 'plain',
      title: 'plain',
      capability: 'orders.plain',
      tags: [],
      combine: 'product',
      fill: 0,
      split: [],
      axes: [],
      samples: [],
      trials: null,
      retry: null,
      find: null,
      enforce: null,
      vars: { buyer: 'Li Lei' },
      place: { file: join(folder, 'suites/orders.yaml'), line: 7, column: 3 },
    });
    // null in the request takes the default away.
    expect(plain!.steps).toEqual([
      {
        kind: 'ask',
        id: 'request',
        request: { max_tokens: 1024, messages: [{ role: 'user', content: 'Say hello to {{buyer}}.' }] },
        expect: {},
      },
    ]);
    expect(order!).toMatchObject({
      capability: 'tool_choice.{{tool_choice}}',
      needs: [{ probe: 'orders/plain', place: { line: 13, column: 13 } }],
      combine: 'each',
      exclude: [{ tool_choice: 'object', thinking: 'default' }],
      include: [{ tool_choice: 'object', thinking: 'disabled', max_tokens: '2048' }],
      when: [{ point: { max_tokens: '512' }, expect: { tool_call: 'optional' } }],
      samples: [{ text: 'one' }, { text: 'two' }],
      trials: { kind: 'decided', reliable: 0.9, broken: 0.7, error: 0.05, max: 40 },
      retry: { on: ['not_json', 'schema_violation'], max: 2, temperature: 0 },
      steps: [
        {
          request: {
            max_tokens: 1024,
            temperature: 0,
            tools: [{ function: { parameters: JSON.parse(schema) as object } }],
          },
          expect: { tool_call: 'create_order', schema: JSON.parse(schema) as object, rejected: { only: false } },
        },
      ],
    });
    expect(order!.axes.map((axis) => (axis.kind === 'values' ? { ...axis, points: [...axis.points] } : axis))).toEqual([
      {
        kind: 'values',
        name: 'tool_choice',
        at: ['tool_choice'],
        listed: false,
        points: [
          ['auto', { kind: 'value', value: 'auto' }],
          ['absent', { kind: 'unset' }],
          ['object', { kind: 'value', value: { type: 'function', function: { name: 'create_order' } } }],
        ],
      },
      { kind: 'settings', name: 'thinking', settings: 'thinking' },
      {
        kind: 'values',
        name: 'max_tokens',
        at: ['max_tokens'],
        listed: true,
        points: [
          ['512', { kind: 'value', value: 512 }],
          ['2048', { kind: 'value', value: 2048 }],
          ['null', { kind: 'unset' }],
        ],
      },
      {
        kind: 'values',
        name: 'template_thinking',
        at: ['chat_template_kwargs', 'enable_thinking'],
        listed: false,
        points: [
          ['on', { kind: 'value', value: true }],
          ['off', { kind: 'value', value: false }],
        ],
      },
    ]);
    expect(flow!.steps).toEqual([
      { kind: 'ask', id: 'call', request: { max_tokens: 5, temperature: 0, messages: [] }, expect: { content: 'any' } },
      { kind: 'run', id: 'tool', result: { ok: true } },
      {
        kind: 'ask',
        id: 'summary',
        request: {
          max_tokens: 1024,
          temperature: 0,
          messages: [{ role: 'user', content: '{{json steps.tool.result}}' }],
        },
        expect: {},
      },
    ]);
    expect(cap!).toMatchObject({
      find: { axis: 'max_tokens', from: 16, to: 16384, tolerance: 0.125 },
      trials: { kind: 'count', count: 3 },
    });
    expect(keyword!).toMatchObject({
      enforce: { keyword: 'enum', valid: 'a', invalid: 'b' },
      steps: [{ kind: 'ask' }],
    });
  });

  test('reads a file once even if two entries name it, and finds files in subfolders', async () => {
    await write({ 'suites/deep/er/more.yaml': 'suite: more\nprobes: { p: { request: {} } }\n' });
    const { suites, problems } = await load('suites/orders.yaml', 'suites/**/*.yaml', './suites/order?.yaml');
    expect(problems).toEqual([]);
    expect(suites.map(({ name }) => name)).toEqual(['orders', 'more']);
  });

  test('reads a file with brackets in its name', async () => {
    await write({ 'odd/[a] (b).yaml': 'suite: odd\nprobes: { p: { request: {} } }\n' });
    expect((await load('odd/[a] (b).yaml')).suites.map(({ name }) => name)).toEqual(['odd']);
  });

  test('replaces references in references, in YAML, and parts of files', async () => {
    await write({
      'refs/s.yaml':
        'suite: refs\nprobes:\n  p:\n    request: { $ref: ./parts/body.yaml }\n    expect: { schema: { $ref: "./parts/defs.json#/$defs/a~1b" } }\n',
      'refs/parts/body.yaml': 'messages: []\nx: { $ref: ../x.json }\n',
      'refs/x.json': '{"deep": [1, {"$ref": "./parts/y.json"}]}',
      'refs/parts/y.json': '"y"',
      'refs/parts/defs.json': '{"$defs": {"a/b": {"type": "string", "$ref": "#/$defs/kept", "$defs": {"kept": true}}}}',
    });
    const { suites, problems } = await load('refs/s.yaml');
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(suites[0]!.probes[0]!.steps).toMatchObject([
      {
        request: { messages: [], x: { deep: [1, 'y'] } },
        expect: { schema: { type: 'string', $ref: '#/$defs/kept' } },
      },
    ]);
  });
});

describe('defaults of requests', () => {
  test.each([
    ['add members', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['merge with objects', { a: { x: 1, y: 2 } }, { a: { y: 3 } }, { a: { x: 1, y: 3 } }],
    ['give way to lists', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['are removed by null', { a: 1, b: { c: 1, d: 2 } }, { a: null, b: { c: null } }, { b: { d: 2 } }],
    ['leave a null that removes nothing', { a: 1 }, { s: { const: null } }, { a: 1, s: { const: null } }],
    ['give way to objects', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['may be none', undefined, { a: null }, { a: null }],
  ])('%s', async (_name, defaults, request, merged) => {
    const probes = { p: { request } };
    await write({
      'merged.yaml': JSON.stringify({ suite: 'merged', ...(defaults && { defaults: { request: defaults } }), probes }),
    });
    const [step] = (await load('merged.yaml')).suites[0]?.probes[0]?.steps ?? [];
    expect(step?.kind === 'ask' && step.request).toEqual(merged);
  });
});
