import { describe, expect, test } from 'vitest';
import { aModel, anExpectation, aProbe, aSettingsAxis, aValuesAxis } from '../../../test/support/build.js';
import type { ModelConfig } from '../../config/config.js';
import type { JsonObject } from '../../json/json.js';
import type { Expectation, ExpectSpec } from '../../judge/expectation.js';
import type { Probe } from '../../suite/probe.js';
import { bodyOf, expectationOf, variablesOf } from './request-body.js';
import type { Ask, Ticket } from '../ticket.js';
import { cellsOf } from '../cells/plan-cells.js';

const plain = aModel('demo/m');
const text = anExpectation();

interface Case extends Partial<Probe> {
  readonly model?: ModelConfig;
  readonly point?: Readonly<Record<string, string>>;
  readonly kind?: Ask['kind'];
}

function expectation(
  request: JsonObject,
  said: ExpectSpec = {},
  { model = plain, point = {}, kind = 'trial', ...changes }: Case = {},
) {
  const probe = aProbe('s/p', { steps: [{ kind: 'ask', id: 'request', request, expect: said }], ...changes });
  const cell = cellsOf(probe, model).cells.find((one) =>
    Object.entries(point).every(([axis, label]) => one.point[axis] === label),
  )!;
  const ticket: Ticket = {
    cell,
    expected: { kind: 'new' },
    course: 'fixed',
    trials: { kind: 'count', count: 1 },
    confirm: false,
  };
  const asked: Ask = { kind, patch: {}, sample: 0 };
  const values = variablesOf(ticket, asked);
  return expectationOf(ticket, 'request', bodyOf(ticket, asked, 'request', values), values);
}

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const json_schema = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } };
const tools = [{ type: 'function', function: { name: 'create_order', parameters: schema } }];

describe('derived expectations', () => {
  test.each<[string, JsonObject, Partial<Expectation>]>([
    ['nothing special: non-empty text', {}, {}],
    ['json_schema: JSON that conforms to the schema of the request', json_schema, { content: 'json', schema }],
    ['json_object: a JSON object', { response_format: { type: 'json_object' } }, { content: 'object' }],
    ['response_format text', { response_format: { type: 'text' } }, {}],
    ['tools alone: a call is optional', { tools }, { toolCall: { kind: 'optional' } }],
    ['tool_choice auto: a call is optional', { tools, tool_choice: 'auto' }, { toolCall: { kind: 'optional' } }],
    ['tool_choice none: no call', { tools, tool_choice: 'none' }, { toolCall: { kind: 'none' } }],
    ['tool_choice required: any declared tool', { tools, tool_choice: 'required' }, { toolCall: { kind: 'any' } }],
    [
      'tool_choice object: that tool',
      { tools, tool_choice: { type: 'function', function: { name: 'create_order' } } },
      { toolCall: { kind: 'named', name: 'create_order' } },
    ],
    ['an empty list of tools means no tools', { tools: [], tool_choice: 'required' }, {}],
  ])('%s', (_, request, expected) => {
    expect(expectation(request)).toEqual({ ...text, ...expected });
  });

  test('read the body under the names of the specification', () => {
    const model = aModel('demo/m', {
      rename: { response_format: 'output', tools: 'functions', tool_choice: 'function_choice' },
    });
    expect(expectation({ ...json_schema, tools, tool_choice: 'required' }, {}, { model })).toEqual({
      ...text,
      toolCall: { kind: 'any' },
      content: 'json',
      schema,
    });
  });

  test('follow the request as an axis changes it', () => {
    const axes = [aValuesAxis('tool_choice', { none: 'none', absent: undefined, required: 'required' })];
    const call = (label: string) => expectation({ tools }, {}, { axes, point: { tool_choice: label } }).toolCall.kind;
    expect(['none', 'absent', 'required'].map(call)).toEqual(['none', 'optional', 'any']);
  });
});

describe('explicit expectations', () => {
  test.each<[string, ExpectSpec, Partial<Expectation>]>([
    ['a name', { tool_call: 'cancel' }, { toolCall: { kind: 'named', name: 'cancel' } }],
    ['true: any declared', { tool_call: true }, { toolCall: { kind: 'any' } }],
    ['false: no call is allowed', { tool_call: false }, { toolCall: { kind: 'none' } }],
    ['optional', { tool_call: 'optional' }, { toolCall: { kind: 'optional' } }],
    ['a schema asks for JSON', { schema }, { content: 'json', schema }],
    ['a schema for any content', { schema, content: 'any' }, { content: 'any', schema }],
    ['finish reasons', { finish_reason: ['stop', 'tool_calls'] }, { finishReasons: ['stop', 'tool_calls'] }],
    [
      'a refusal that passes too',
      { rejected: { status: [400, 422] } },
      { rejected: { status: [400, 422], reason: null, only: false } },
    ],
    [
      'only a refusal',
      { rejected: { reason: 'json_word_required', only: true } },
      { rejected: { status: null, reason: 'json_word_required', only: true } },
    ],
    ['an outcome', { outcome: 'truncated' }, { outcome: 'truncated' }],
    [
      'rules',
      { rules: [{ id: 'total', assert: 'value.total = 897' }] },
      { rules: [{ id: 'total', assert: 'value.total = 897' }] },
    ],
    ['reasoning', { reasoning: 'absent' }, { reasoning: 'absent' }],
  ])('%s', (_, written, expected) => {
    expect(expectation({}, written)).toEqual({ ...text, ...expected });
  });

  test('override what is derived', () => {
    expect(expectation(json_schema, { schema: { type: 'string' } })).toMatchObject({
      content: 'json',
      schema: { type: 'string' },
    });
    expect(expectation(json_schema, { content: 'text' })).toMatchObject({ content: 'text', schema: null });
    expect(expectation(json_schema, { content: 'any' })).toMatchObject({ content: 'any', schema: null });
    expect(expectation({ response_format: { type: 'json_object' } }, { schema })).toMatchObject({
      content: 'object',
      schema,
    });
  });

  test('have their templates filled', () => {
    const rules = [{ id: 'buyer', assert: 'value.buyer = "{{buyer}}"', message: 'it is {{buyer}}' }];
    expect(expectation({}, { tool_call: '{{tool}}', rules }, { vars: { buyer: 'Li', tool: 'create' } })).toMatchObject({
      toolCall: { kind: 'named', name: 'create' },
      rules: [{ id: 'buyer', assert: 'value.buyer = "Li"', message: 'it is Li' }],
    });
  });
});

describe('when', () => {
  const axes = [aValuesAxis('tool_choice', { auto: 'auto', object: 'object' }), aSettingsAxis('thinking')];
  const model = aModel('demo/m', { settings: { thinking: { on: null, off: null } } });
  const when = [
    { point: { tool_choice: 'auto' }, expect: { tool_call: 'optional', rejected: { status: [400] } } },
    { point: { tool_choice: 'auto', thinking: 'on' }, expect: { tool_call: false, rejected: { only: true } } },
    { point: {}, expect: { content: 'any' as const } },
  ];
  const of = (tool_choice: string, thinking: string) =>
    expectation({ tools }, { tool_call: true }, { axes, when, model, point: { tool_choice, thinking } });

  test('applies to the points that have its labels, and later ones override earlier ones', () => {
    expect(of('object', 'off')).toMatchObject({ toolCall: { kind: 'any' }, content: 'any', rejected: null });
    expect(of('auto', 'off')).toMatchObject({
      toolCall: { kind: 'optional' },
      rejected: { status: [400], only: false },
    });
    expect(of('auto', 'on')).toMatchObject({ toolCall: { kind: 'none' }, rejected: { status: [400], only: true } });
  });
});

describe('enforce', () => {
  const enforce = { keyword: 'type', schema, valid: { a: 'x' }, invalid: { a: 1 } };
  test.each(['valid', 'invalid', 'free'] as const)('judges a %s echo by the schema, sent or not', (kind) => {
    expect(expectation({}, {}, { enforce, kind, point: { channel: 'response_format' } })).toEqual({
      ...text,
      content: 'json',
      schema,
    });
    expect(expectation({}, {}, { enforce, kind, point: { channel: 'tools' } }).toolCall).toEqual({
      kind: 'named',
      name: 'repeat',
    });
  });
});
