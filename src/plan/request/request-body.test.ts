import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aModel, aProbe, aSettingsAxis, aValuesAxis } from '../../../test/support/build.js';
import type { ModelConfig } from '../../config/config.js';
import type { JsonObject } from '../../json/json.js';
import type { Probe, Step } from '../../suite/probe.js';
import { createCellRequests, controlBody, toolResultOf } from './request-body.js';
import type { Ask, Cell, PlannedCell } from '../plan.js';
import { planProbeCells } from '../cells/plan-cells.js';
import { TemplateError } from './template.js';
import { variablesOf } from './request-body.js';

const trial: Ask = { kind: 'trial', patch: {}, sample: 0 };

function ask(request: JsonObject, id = 'request'): Step {
  return { kind: 'ask', id, request, expect: {} };
}

function plannedFor(changes: Partial<Probe>, model: ModelConfig, point: Record<string, string> = {}): PlannedCell {
  const { cells } = planProbeCells(aProbe('orders/create', changes), model);
  const cell = cells.find((one) => JSON.stringify(one.point) === JSON.stringify(point)) as Cell;
  return {
    cell,
    expected: { kind: 'new' },
    course: 'fixed',
    trials: { kind: 'count', count: 1 },
    confirm: false,
  };
}

/** As text, so that the order of the members counts too. */
function sent(planned: PlannedCell, asked: Ask = trial, step = 'request', steps?: JsonObject): string {
  const values = { ...variablesOf(planned, asked), ...(steps === undefined ? {} : { steps }) };
  return JSON.stringify(createCellRequests(planned)(asked, step, values).body);
}

const withVariables = (planned: PlannedCell) => {
  const requestFor = createCellRequests(planned);
  return (asked: Ask, step = 'request') => requestFor(asked, step, variablesOf(planned, asked));
};

const plain = aModel('demo/org/m');
const messages = [{ role: 'user', content: 'Order {{count}} keyboards for {{buyer}}.' }];
const vars = { buyer: 'Li Lei', count: 3 };

describe('bodyOf', () => {
  test('puts the model first and fills the templates', () => {
    expect(sent(plannedFor({ steps: [ask({ messages, max_tokens: 64 })], vars }, plain))).toBe(
      '{"model":"org/m","messages":[{"role":"user","content":"Order 3 keyboards for Li Lei."}],"max_tokens":64}',
    );
  });

  test('lets the model override the probe, the sample override both, and the labels override all', () => {
    const model = aModel('demo/m', { vars: { buyer: 'of the model', count: 'of the model' } });
    const request = { messages: [{ role: 'user', content: '{{buyer}} {{count}} {{only}} {{style}}' }] };
    const samples = [
      { count: 'row 0', style: 'row 0' },
      { count: 'row 1', style: 'row 1' },
    ];
    const axes = [aValuesAxis('style', { short: 'a', long: 'b' })];
    const planned = plannedFor({ steps: [ask(request)], vars: { ...vars, only: 'suite' }, samples, axes }, model, {
      style: 'long',
    });
    const content = (sample: number) =>
      (JSON.parse(sent(planned, { ...trial, sample })) as typeof request).messages[0]?.content;
    expect(content(0)).toBe('of the model row 0 suite long');
    expect(content(1)).toBe('of the model row 1 suite long');
    expect(content(2)).toBe('of the model row 0 suite long');
  });

  test('sets the values of axes by name and by pointer, and leaves the field out for ~', () => {
    const axes = [
      aValuesAxis('tool_choice', { none: undefined, object: { type: 'function', function: { name: '{{tool}}' } } }),
      aValuesAxis('template_thinking', { on: true, off: undefined }, ['chat_template_kwargs', 'enable_thinking']),
    ];
    const steps = [ask({ messages: [], tool_choice: 'auto', seed: 1 })];
    const of = (tool_choice: string, template_thinking: string) =>
      sent(plannedFor({ steps, axes, vars: { tool: 'create_order' } }, plain, { tool_choice, template_thinking }));
    expect(of('none', 'off')).toBe('{"model":"org/m","messages":[],"seed":1}');
    expect(of('object', 'on')).toBe(
      '{"model":"org/m","messages":[],"tool_choice":{"type":"function","function":{"name":"create_order"}},"seed":1,"chat_template_kwargs":{"enable_thinking":true}}',
    );
  });

  test('merges settings, then the patch of the model, then that of the ask, and renames last', () => {
    const model = aModel('demo/m', {
      settings: {
        thinking: { default: null, enabled: { thinking: { type: 'enabled' }, max_tokens: 100, seed: null } },
      },
      request: { max_tokens: 200, thinking: { budget: 1 }, user: 'team' },
      rename: { max_tokens: 'max_completion_tokens' },
    });
    const probe = { steps: [ask({ messages: [], seed: 7, max_tokens: 50 })], axes: [aSettingsAxis('thinking')] };
    expect(sent(plannedFor(probe, model, { thinking: 'default' }))).toBe(
      '{"model":"m","messages":[],"seed":7,"max_completion_tokens":200,"thinking":{"budget":1},"user":"team"}',
    );
    expect(
      sent(plannedFor(probe, model, { thinking: 'enabled' }), { ...trial, patch: { max_tokens: 300, user: null } }),
    ).toBe('{"model":"m","messages":[],"max_completion_tokens":300,"thinking":{"type":"enabled","budget":1}}');
  });

  test('keeps a null of the request itself, at any depth', () => {
    const schema = { properties: { a: { const: null } } };
    const planned = plannedFor(
      { steps: [ask({ messages: [], stop: null, schema })] },
      aModel('demo/m', { request: { schema: { title: 'x' } } }),
    );
    expect(sent(planned)).toBe(
      '{"model":"m","messages":[],"stop":null,"schema":{"properties":{"a":{"const":null}},"title":"x"}}',
    );
  });

  test('lets a renamed field replace one of that name', () => {
    const model = aModel('demo/m', { rename: { max_tokens: 'max_completion_tokens' } });
    expect(sent(plannedFor({ steps: [ask({ max_tokens: 5, max_completion_tokens: 6 })] }, model))).toBe(
      '{"model":"m","max_completion_tokens":5}',
    );
  });

  test('reports an unknown name', () => {
    expect(() => sent(plannedFor({ steps: [ask({ messages })] }, plain))).toThrow(TemplateError);
  });
});

describe('the requests of a cell, asked for again', () => {
  const said = [{ role: 'user', content: 'Order 3 keyboards.' }];
  const patches: readonly JsonObject[] = [{}, { max_tokens: 50 }, { messages: null }];
  const asks = fc.record({
    kind: fc.constantFrom<Ask['kind'][]>('trial', 'free'),
    patch: fc.constantFrom(...patches),
    sample: fc.nat(2),
    templates: fc.boolean(),
    step: fc.constantFrom('request', 'other'),
  });

  test('gives what a cell that was never asked gives, whatever was asked before', () => {
    const samples = ['one', 'two'].map((word) => ({ word }));
    const makePlanned = (templates: boolean) =>
      plannedFor(
        {
          samples,
          steps: [
            ask({ messages: templates ? [{ role: 'user', content: 'Say {{word}}.' }] : said, temperature: 0 }),
            { ...ask({ messages: said }, 'other'), expect: { tool_call: templates ? '{{word}}' : 'order' } } as Step,
          ],
        },
        plain,
      );
    fc.assert(
      fc.property(fc.array(asks), (all) => {
        const requests = { true: withVariables(makePlanned(true)), false: withVariables(makePlanned(false)) };
        for (const { templates, step, ...asked } of all) {
          const fresh = withVariables(makePlanned(templates))(asked, step);
          expect(requests[`${templates}`](asked, step)).toEqual(fresh);
        }
      }),
    );
  });

  test('has the same objects for schemas in every trial, so that each is compiled once', () => {
    const schema = { type: 'object' };
    const response_format = { type: 'json_schema', json_schema: { name: 'order', strict: true, schema } };
    const bodies = (changes: Partial<Probe>, request: JsonObject) => {
      const planned = plannedFor({ ...changes, steps: [ask({ ...request, response_format })] }, plain);
      const requestFor = withVariables(planned);
      return [0, 1].map((sample) => requestFor({ ...trial, sample }).body as JsonObject);
    };
    const [constant, again] = bodies({}, { messages: said });
    expect(again).toBe(constant);
    const [first, second] = bodies({ vars }, { messages });
    expect(second).not.toBe(first);
    for (const body of [constant, first, second]) expect(body?.['response_format']).toBe(response_format);
  });
});

describe('bodyOf in a flow', () => {
  const call = ask({ messages: [], tools: [], tool_choice: 'auto' }, 'call');
  const tool: Step = { kind: 'run', id: 'tool', result: { success: true, total: '{{steps.call.arguments.total}}' } };
  const summary = ask(
    { messages: [{ role: 'user', content: 'Summarise {{json steps.tool.result}} by {{steps.call.content}}' }] },
    'summary',
  );
  const probe = {
    steps: [call, tool, summary],
    axes: [aValuesAxis('tool_choice', { auto: 'auto', required: 'required' })],
  };
  const planned = plannedFor(probe, plain, { tool_choice: 'required' });
  const steps = { call: { arguments: { total: 897 }, content: '{{evil}}' }, tool: { result: { ok: true } } };

  test('uses earlier results, and never reads them as templates', () => {
    expect(sent(planned, trial, 'summary', steps)).toBe(
      '{"model":"org/m","messages":[{"role":"user","content":"Summarise {\\"ok\\":true} by {{evil}}"}]}',
    );
    expect(toolResultOf(planned, 'tool', { ...variablesOf(planned, trial), steps })).toEqual({
      success: true,
      total: '897',
    });
  });

  test('replaces the field of an axis in the steps that have it', () => {
    expect(sent(planned, trial, 'call')).toContain('"tool_choice":"required"');
    expect(sent(planned, trial, 'summary', steps)).not.toContain('tool_choice');
  });

  test('sets it in every step when none has it', () => {
    const axes = [aValuesAxis('seed', { one: 1 })];
    const varied = plannedFor({ ...probe, axes }, plain, { seed: 'one' });
    expect(sent(varied, trial, 'call')).toContain('"seed":1');
    expect(sent(varied, trial, 'summary', steps)).toContain('"seed":1');
  });

  test('throws for a step that sends no request', () => {
    expect(() => sent(planned, trial, 'tool', steps)).toThrow('has no ask step "tool"');
    expect(() => sent(planned, trial, 'nowhere', steps)).toThrow('has no ask step "nowhere"');
  });
});

describe('bodyOf for enforce', () => {
  const schema = {
    type: 'object',
    properties: { colour: { enum: ['red', 'green'] } },
    required: ['colour'],
    additionalProperties: false,
  };
  const enforce = { keyword: 'enum', schema, valid: { colour: 'red' }, invalid: { colour: 'mauve {{x}}' } };
  const steps = [ask({ temperature: 0 })];
  const format = plannedFor({ enforce, steps }, plain, { channel: 'response_format' });
  const tools = plannedFor({ enforce, steps }, plain, { channel: 'tools' });
  const of = (planned: PlannedCell, kind: Ask['kind']) => JSON.parse(sent(planned, { ...trial, kind })) as JsonObject;
  const document = (text: string, as = '') => [
    {
      role: 'system',
      content:
        as === ''
          ? 'You repeat documents. You answer with the JSON document that you were given and nothing else: no explanation, no code fence.'
          : 'You repeat documents. You always call the function repeat with the JSON document that you were given, exactly as it is.',
    },
    {
      role: 'user',
      content: `Repeat the JSON document between the marks character for character${as}. Do not correct, complete or shorten it.\n<document>\n${text}\n</document>`,
    },
  ];

  test('sends the documents unchanged, with or without the schema', () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'repeat', strict: true, schema } };
    const base = { model: 'org/m', temperature: 0, max_tokens: 1024 };
    expect(of(format, 'valid')).toEqual({ ...base, messages: document('{"colour":"red"}'), response_format });
    expect(of(format, 'invalid')).toEqual({ ...base, messages: document('{"colour":"mauve {{x}}"}'), response_format });
    expect(of(format, 'free')).toEqual({ ...base, messages: document('{"colour":"mauve {{x}}"}') });
    const looser = { ...schema, properties: { colour: {} } };
    expect(of(format, 'loose')).toEqual({
      ...of(format, 'invalid'),
      response_format: { type: 'json_schema', json_schema: { name: 'repeat', strict: true, schema: looser } },
    });
  });

  test('sends a function through the tools channel, without parameters for a free echo', () => {
    const as = ', as the arguments of the function repeat';
    const tool = (more: JsonObject) => [
      { type: 'function', function: { name: 'repeat', description: 'Sends a JSON document back.', ...more } },
    ];
    const base = { model: 'org/m', temperature: 0, max_tokens: 1024, tool_choice: 'required' };
    expect(of(tools, 'valid')).toEqual({
      ...base,
      messages: document('{"colour":"red"}', as),
      tools: tool({ strict: true, parameters: schema }),
    });
    expect(of(tools, 'free')).toEqual({
      ...base,
      messages: document('{"colour":"mauve {{x}}"}', as),
      tools: tool({ parameters: { type: 'object' } }),
    });
  });

  test('keeps the cap of the request, and mentions json in every message', () => {
    const capped = plannedFor(
      { enforce, steps: [ask({ max_tokens: 4000, messages: [{ role: 'user', content: 'x' }] })] },
      plain,
      { channel: 'response_format' },
    );
    expect(of(capped, 'valid')).toMatchObject({ max_tokens: 4000, messages: document('{"colour":"red"}') });
    expect(JSON.stringify(of(format, 'free')['messages']).toLowerCase()).toContain('json');
  });

  test('asks each kind of question, whichever was asked before', () => {
    const requestFor = withVariables(format);
    const { patch } = trial;
    for (const kind of ['valid', 'free', 'valid'] as const) {
      expect(requestFor({ kind, patch, sample: 0 }).body).toEqual(of(format, kind));
    }
  });

  test('wraps a schema whose root is not an object, with its documents and its own references', () => {
    const list = { type: 'array', items: { $ref: '#/$defs/item' }, $defs: { item: { enum: ['#/a', 1], $ref: '#' } } };
    const wrapped = plannedFor(
      { enforce: { keyword: 'enum', schema: list, valid: [1], invalid: [2] }, steps: [] },
      plain,
      { channel: 'response_format' },
    );
    const body = of(wrapped, 'invalid');
    expect(body['response_format']).toMatchObject({
      json_schema: {
        schema: {
          type: 'object',
          properties: {
            value: {
              type: 'array',
              items: { $ref: '#/properties/value/$defs/item' },
              $defs: { item: { enum: ['#/a', 1], $ref: '#/properties/value' } },
            },
          },
          required: ['value'],
          additionalProperties: false,
        },
      },
    });
    expect(body['messages']).toEqual(document('{"value":[2]}'));
    expect(wrapped.cell.probe.enforce).toMatchObject({ valid: { value: [1] }, invalid: { value: [2] } });
  });
});

describe('controlBody', () => {
  test('is a plain request with a generous cap', () => {
    expect(JSON.stringify(controlBody(plain))).toBe(
      '{"model":"org/m","messages":[{"role":"user","content":"Say hello."}],"max_tokens":256}',
    );
  });

  test('applies the patches of the model, that of the control last, and its names', () => {
    const model = aModel('demo/m', {
      request: { user: 'team', stream: false },
      control: { stream: true, user: null },
      rename: { max_tokens: 'max_completion_tokens' },
    });
    expect(JSON.stringify(controlBody(model))).toBe(
      '{"model":"m","messages":[{"role":"user","content":"Say hello."}],"max_completion_tokens":256,"stream":true}',
    );
  });
});
