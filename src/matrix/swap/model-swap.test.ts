import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../test/support/build.js';
import { diffModels } from '../diff/diff-reports.js';
import { swapSections } from '../../report/diff/swap-sections.js';
import type { CellTimes } from '../timing.js';
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

  const cell = (model: string, name: string, ms: readonly number[], prompt: number | null): CellTimes => ({
    ...{ cell: `s/${name}@${model}`, answers: ms.length, first_byte_ms: [], total_ms: ms },
    tokens: prompt === null ? null : { prompt, completion: 20, reasoning: 0 },
  });

  test('are those of the cells that both sides answered, each of which counts once', () => {
    const price = { prompt: 100, completion: 0 };
    const { swap } = swapOf({
      latency: [
        times(old, {
          price,
          cells: [cell(old, 'a', [10, 10, 10], 10), cell(old, 'b', [90], 90), cell(old, 'x', [9], 900)],
        }),
        times(fresh, { cells: [cell(fresh, 'a', [20], 10), cell(fresh, 'b', [80, 80], 90), cell(fresh, 'y', [8], 1)] }),
      ],
    });
    const tokens = { prompt: 50, completion: 20, reasoning: 0 };
    expect(swap.times).toEqual([
      {
        ...{ kind: 'text', stream: false, cells: 2 },
        base: { answers: 4, tokens, cost: 0.005, first_byte_ms: null, total_ms: { p50: 10, p95: 90 } },
        head: { answers: 3, tokens, cost: null, first_byte_ms: null, total_ms: { p50: 20, p95: 80 } },
      },
    ]);
  });

  test('compare tokens where both sides report them, or say that one never does', () => {
    const tokensOf = (was: readonly CellTimes[], is: readonly CellTimes[]) =>
      swapOf({ latency: [times(old, { cells: was }), times(fresh, { cells: is })] }).swap.times.map(
        ({ base, head }) => [base?.tokens?.prompt, head?.tokens?.prompt],
      );
    const was = [cell(old, 'a', [1], 10), cell(old, 'b', [1], 90)];
    expect(tokensOf(was, [cell(fresh, 'a', [1], 11), cell(fresh, 'b', [1], null)])).toEqual([[10, 11]]);
    expect(tokensOf(was, [cell(fresh, 'a', [1], null), cell(fresh, 'b', [1], null)])).toEqual([[50, undefined]]);
  });

  test('compare nothing where no cell is known to be common', () => {
    const apart = [
      times(old, { cells: [cell(old, 'a', [1], 1)] }),
      times(fresh, { cells: [cell(fresh, 'b', [1], 1)] }),
    ];
    for (const latency of [apart, [times(old), times(fresh)]]) {
      const diff = swapOf({ latency });
      expect(diff.swap.times).toEqual([{ kind: 'text', stream: false, cells: 0, base: null, head: null }]);
      expect(swapSections(diff).find(({ id }) => id === 'times')?.rows).toEqual([
        ['text', 'not comparable: no cell is known to have such answers on both sides'],
      ]);
    }
  });

  test('of a setting are those of its cells, whatever their form', () => {
    const of = (model: string, ms: number) => [
      times(model, { cells: [cell(model, 'a[thinking=on]', [ms], 1), cell(model, 'a[thinking=off]', [1], 1)] }),
      times(model, { kind: 'tools', cells: [cell(model, 'b[thinking=on]', [ms], 1)] }),
      times(model, { kind: 'thinking.on', stream: null }),
    ];
    const found = swapOf({ latency: [...of(old, 5), ...of(fresh, 7)] }).swap.times.at(-1);
    expect(found).toMatchObject({ kind: 'thinking.on', cells: 2, base: { answers: 2, total_ms: { p50: 5 } } });
    expect(found?.head?.total_ms).toEqual({ p50: 7, p95: 7 });
  });

  test('stand side by side by kind of request; what one side did not measure is null', () => {
    const cellsOf = (model: string, answers: number) => ({
      answers,
      cells: [cell(model, 'a', [100, ...Array<number>(answers - 1).fill(200)], 10)],
    });
    const price = { prompt: 0, completion: 50 };
    const { swap } = swapOf({
      latency: [
        times(old, { price, ...cellsOf(old, 4) }),
        times(fresh, { price, ...cellsOf(fresh, 3) }),
        times(fresh, { kind: 'tools' }),
      ],
    });
    const side = { cost: 0.001, first_byte_ms: null, total_ms: { p50: 200, p95: 200 } };
    const whole = { ...side, total_ms: { p50: 100, p95: 200 } };
    const tokens = { prompt: 10, completion: 20, reasoning: 0 };
    expect(swap.times).toEqual([
      {
        kind: 'text',
        stream: false,
        cells: 1,
        base: { ...side, tokens, answers: 4 },
        head: { ...side, tokens, answers: 3 },
      },
      { kind: 'tools', stream: false, cells: 0, base: null, head: { ...whole, tokens, answers: 4 } },
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
