import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { diffModels } from '../diff/diff-reports.js';
import type { Recommendation, Report, ReportCapability, ReportCell, ReportLatency } from '../report-format.js';

const [old, fresh] = ['demo/old', 'demo/new'];

type Changes = Parameters<typeof aReportCell>[0];
/** The same cell of both models: as it is, and with changes. */
const both = (shared: Changes, changes: Changes): ReportCell[] => [
  aReportCell({ ...shared, model: old }),
  aReportCell({ ...shared, ...changes, model: fresh }),
];
const refused = { verdict: 'fail', class: 'http_error', reason: 'server_error', status: 500 } as const;
const object = { probe: 'order', point: { tool_choice: 'object' }, capability: 'tool_choice.object' };
const required = { probe: 'order', point: { tool_choice: 'required' }, capability: 'tool_choice.required' };
const trials = (passed: number, total: number) => ({ trials: { passed, total } });
const unlike = { ...refused, ...trials(0, 8) };

const recommended = (model: string, changes: Partial<Recommendation> = {}): Recommendation => ({
  ...{ model, need: 'tool_call', form: 'tool_choice.required', because: 'it passes.', alternatives: [] },
  ...{ settings: { tool_choice: 'required' }, request: { tool_choice: 'required' } },
  ...changes,
});

const capability = (model: string, id: string, changes: Partial<ReportCapability> = {}): ReportCapability => ({
  ...{ model, capability: id, verdict: 'pass', condition: null, cells: [] },
  ...changes,
});

const forms = [
  { need: 'structured', capability: 'json_schema' },
  { need: 'tool_call', capability: 'tool_choice.required' },
  { need: 'tool_call', capability: 'tool_choice.object' },
] as const;

const swapOf = (changes: Partial<Report>, from = old, to = fresh) =>
  diffModels(
    aReport({ models: [old, fresh].map((id) => aReportModel(id)), forms, ...changes }),
    aReport({ models: [old, fresh].map((id) => aReportModel(id)), forms, ...changes }),
    from,
    to,
  );

describe('what breaks', () => {
  const report = {
    cells: [...both({ ...object, ...trials(8, 8) }, unlike), ...both(required, {})],
    capabilities: [
      ...[old, fresh].map((model) => capability(model, 'tool_choice.required')),
      capability(old, 'tool_choice.object'),
      capability(fresh, 'tool_choice.object', { verdict: 'fail' }),
    ],
    recommendations: [recommended(old), recommended(fresh)],
  };

  test('is the capability with how it fails, and what to send instead', () => {
    const { swap, lost } = swapOf(report);
    expect(lost.map(({ cell }) => cell)).toEqual(['suite/order[tool_choice=object]']);
    expect(swap.capabilities).toEqual([
      {
        ...{ capability: 'tool_choice.object', change: 'lost', compared: 1, gained: [] },
        ...{ base: { verdict: 'pass', condition: null }, head: { verdict: 'fail', condition: null } },
        failure: { class: 'http_error', reason: 'server_error', status: 500 },
        lost: ['suite/order[tool_choice=object]'],
      },
    ]);
    expect(swap.requests).toEqual([
      {
        ...{ say: 'send tool_choice: required instead of the object form', why: 'needed' },
        ...{ for: ['tool_choice.object'], request: { tool_choice: 'required' } },
      },
    ]);
  });

  test('is a call that only gives the answer its form, where another form is named instead', () => {
    const serving = [...forms, { need: 'structured', capability: 'tool_choice.object' } as const];
    const schema = { need: 'structured', form: 'json_schema', settings: {}, request: {} } as const;
    const { swap } = swapOf({
      ...report,
      forms: serving,
      recommendations: [recommended(old, { ...schema, form: 'tool_choice.required' }), recommended(fresh, schema)],
    });
    expect(swap.requests.find((one) => one.for.includes('tool_choice.object'))?.say).toBe(
      'ask with response_format json_schema instead of a tool and the object form of tool_choice, where a call is only a form of the answer',
    );
  });

  test('is gained the other way round, and needs no change', () => {
    const { swap } = swapOf(report, fresh, old);
    expect(swap.capabilities).toMatchObject([{ capability: 'tool_choice.object', change: 'gained', failure: null }]);
    expect(swap.requests).toEqual([]);
  });

  test('on a condition says the settings that meet it, and what was sent before', () => {
    const stream = { ...object, capability: 'stream.tools' };
    const { swap } = swapOf({
      cells: both({ ...stream, ...trials(8, 8) }, unlike),
      capabilities: [
        capability(old, 'stream.tools'),
        capability(fresh, 'stream.tools', {
          ...{ verdict: 'partial', condition: 'only with tool_choice=required' },
          ...{ settings: { tool_choice: 'required' }, request: { tool_choice: 'required' } },
        }),
      ],
    });
    expect(swap.capabilities[0]?.head).toEqual({ verdict: 'partial', condition: 'only with tool_choice=required' });
    expect(swap.requests.map(({ say }) => say)).toEqual(['send tool_choice: required instead of the object form']);
  });

  test('is nothing that luck explains: that is said apart', () => {
    const { swap, lost } = swapOf({ cells: both(required, { verdict: 'fail', class: 'not_json' }) });
    expect({ lost, capabilities: swap.capabilities }).toEqual({ lost: [], capabilities: [] });
    expect(swap.unproven).toMatchObject([
      { capability: 'tool_choice.required', cells: ['suite/order[tool_choice=required]'] },
    ]);
  });
});

describe('a need', () => {
  const structured = { need: 'structured', form: 'json_schema', settings: {}, request: {} } as const;
  const none = { need: 'structured', form: null, settings: {}, because: 'json_schema fails.' } as const;
  const schema = { probe: 'simple', capability: 'json_schema' };

  test('is lost only where a cell of its forms was lost', () => {
    const recommendations = [recommended(old, structured), recommended(fresh, none)];
    const changeOf = (cells: ReportCell[]) => swapOf({ cells, recommendations }).swap.needs.map(({ change }) => change);
    expect(changeOf(both({ ...schema, ...trials(8, 8) }, unlike))).toEqual(['lost']);
    expect(changeOf(both(schema, { verdict: 'fail', class: 'not_json' }))).toEqual(['unproven']);
    expect(changeOf(both({ ...object, ...trials(8, 8) }, unlike))).toEqual(['unproven']);
  });

  test('of which one model tells nothing is neither lost nor kept', () => {
    expect(swapOf({ recommendations: [recommended(old, structured)] }).swap.needs).toMatchObject([
      { need: 'structured', change: 'not_measured', head: null },
    ]);
    expect(swapOf({ recommendations: [recommended(fresh, structured)] }).swap.needs).toMatchObject([
      { change: 'not_measured', base: null },
    ]);
  });
});

describe('requests', () => {
  const changesOf = (was: Partial<Recommendation>, is: Partial<Recommendation>, more: Partial<Report> = {}) =>
    swapOf({ ...more, recommendations: [recommended(old, was), recommended(fresh, is)] }).swap.requests;
  const client = { base_url: null, api_key_env: null, settings: { thinking: { on: { reason: true }, default: null } } };
  const models = [old, fresh].map((id) => aReportModel(id, { client }));
  const capped = { settings: { max_tokens: '512' }, request: { max_tokens: 512 } };

  test.each([
    [
      'a larger cap',
      { settings: { max_tokens: '2048' }, request: { max_tokens: 2048 } },
      ['send max_tokens: 2048 instead of 512'],
    ],
    [
      'another name of the cap',
      { settings: { max_tokens: '2048' }, request: { max_completion_tokens: 2048 } },
      ['send max_completion_tokens: 2048 instead of max_tokens: 512'],
    ],
    ['no cap', { settings: {}, request: {} }, ['max_tokens: 512 is not needed']],
    [
      'thinking as well',
      {
        settings: { max_tokens: '512', thinking: 'disabled' },
        request: { max_tokens: 512, thinking: { type: 'disabled' } },
      },
      ['send thinking: {"type":"disabled"}'],
    ],
    [
      'the word',
      { settings: { max_tokens: '512', json_word: 'required' }, request: { max_tokens: 512 } },
      ['say "json" in the prompt'],
    ],
  ])('name %s', (_, is, say) => {
    expect(changesOf(capped, is).map((one) => one.say)).toEqual(say);
  });

  test('say what is left out, under the names of its members', () => {
    const on = { settings: { thinking: 'on' }, request: { reason: true } };
    const off = { settings: { thinking: 'default' }, request: {} };
    expect(changesOf(on, off, { models })).toMatchObject([{ say: 'leave out thinking', request: { reason: null } }]);
    expect(changesOf(off, on, { models })).toMatchObject([{ say: 'send reason: true', request: { reason: true } }]);
  });

  test('hold a merge patch, which takes away what has another name', () => {
    const is = { settings: { max_tokens: '2048' }, request: { max_completion_tokens: 2048 } };
    expect(changesOf(capped, is)[0]?.request).toEqual({ max_tokens: null, max_completion_tokens: 2048 });
  });

  test('are unproven where nothing was lost, and optional where the old form holds as well', () => {
    const tool = recommended(old);
    const schema = { form: 'json_schema', settings: {}, request: {} };
    expect(changesOf(tool, schema)).toMatchObject([
      { say: 'ask with response_format json_schema instead of a tool and tool_choice: required', why: 'unproven' },
    ]);
    const holds = { capabilities: [capability(fresh, 'tool_choice.required')] };
    expect(changesOf(tool, schema, holds)).toMatchObject([{ why: 'optional' }]);
    const cells = both({ ...object, ...trials(8, 8) }, unlike);
    expect(changesOf(tool, schema, { cells })[0]).toMatchObject({ why: 'needed' });
  });
});

describe('times', () => {
  const times = (model: string, changes: Partial<ReportLatency> = {}): ReportLatency => ({
    ...{ model, kind: 'text', stream: false, answers: 4, cost: 0.001, tokens_per_second: null, first_byte_ms: null },
    ...{ total_ms: { p50: 100, p95: 200, spread: [100] }, tokens: { prompt: 10, completion: 20, reasoning: 0 } },
    ...changes,
  });

  test('stand side by side by kind of request; what one side did not measure is null', () => {
    const { swap } = swapOf({ latency: [times(old), times(fresh, { answers: 3 }), times(fresh, { kind: 'tools' })] });
    const side = { cost: 0.001, first_byte_ms: null, total_ms: { p50: 100, p95: 200 } };
    const tokens = { prompt: 10, completion: 20, reasoning: 0 };
    expect(swap.times).toEqual([
      { kind: 'text', stream: false, base: { ...side, tokens, answers: 4 }, head: { ...side, tokens, answers: 3 } },
      { kind: 'tools', stream: false, base: null, head: { ...side, tokens, answers: 4 } },
    ]);
  });
});

test('what one side did not measure is named with what became of it, and is neither lost nor kept', () => {
  const { swap, lost, gained, compared } = swapOf({
    cells: [
      ...both(object, { verdict: 'blocked' }),
      ...both({ ...required, verdict: 'inconclusive' }, { verdict: 'not_run' }),
      aReportCell({ probe: 'thinking', capability: 'thinking.enabled', model: fresh }),
    ],
  });
  expect({ lost, gained, compared }).toEqual({ lost: [], gained: [], compared: 0 });
  expect(swap.uncompared).toEqual([
    {
      capability: 'tool_choice.object',
      measured: 'base',
      cells: ['suite/order[tool_choice=object]'],
      why: ['blocked'],
    },
    {
      ...{ capability: 'tool_choice.required', measured: 'neither' },
      ...{ cells: ['suite/order[tool_choice=required]'], why: ['inconclusive', 'not_run'] },
    },
    { capability: 'thinking.enabled', measured: 'head', cells: ['suite/thinking'], why: ['not_asked'] },
  ]);
});
