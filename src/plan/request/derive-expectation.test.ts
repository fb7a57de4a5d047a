import { describe, expect, test } from 'vitest';
import { aModel, anExpectation, aProbe, aSettingsAxis, aValuesAxis } from '../../../test/support/build.js';
import type { ModelConfig } from '../../config/config.js';
import type { JsonObject } from '../../json/json.js';
import type { Expectation, ExpectSpec } from '../../judge/expectation.js';
import type { Probe } from '../../suite/probe.js';
import { createCellRequests, variablesOf } from './request-body.js';
import type { Ask, PlannedCell } from '../plan.js';
import { planProbeCells } from '../cells/plan-cells.js';
import { tableIn } from '../../../test/support/cases.js';

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
  const cell = planProbeCells(probe, model).cells.find((one) =>
    Object.entries(point).every(([axis, label]) => one.point[axis] === label),
  )!;
  const planned: PlannedCell = {
    cell,
    expected: { kind: 'new' },
    course: 'fixed',
    trials: { kind: 'count', count: 1 },
    confirm: false,
  };
  const asked: Ask = { kind, patch: {}, sample: 0 };
  return createCellRequests(planned)(asked, 'request', variablesOf(planned, asked)).expectation;
}

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const json_schema = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } };
const tools = [{ type: 'function', function: { name: 'create_order', parameters: schema } }];

describe('derived expectations', () => {
  test.each(tableIn('plan', 'derived expectations') as readonly [string, JsonObject, Partial<Expectation>][])(
    '%s',
    (_, request, expected) => {
      expect(expectation(request)).toEqual({ ...text, ...expected });
    },
  );

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
  test.each(tableIn('plan', 'explicit expectations') as readonly [string, ExpectSpec, Partial<Expectation>][])(
    '%s',
    (_, written, expected) => {
      expect(expectation({}, written)).toEqual({ ...text, ...expected });
    },
  );

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
