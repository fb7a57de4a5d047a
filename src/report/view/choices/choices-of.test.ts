import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../../test/support/build.js';
import type {
  Recommendation,
  Report,
  ReportCapability,
  ReportCell,
  ReportLatency,
  ReportQuirk,
} from '../../../matrix/report-format.js';
import { choicesOf } from './choices-of.js';
import { latencyText, tokensText } from './latency-text.js';
import { snippetsOf } from './snippet.js';

const one = 'demo/one';
const disabled = { thinking: { type: 'disabled' } };
const client = {
  ...{ base_url: 'https://service.example/v1', api_key_env: 'SERVICE_KEY' },
  settings: { thinking: { disabled, enabled: null } },
};
const latency: ReportLatency = {
  ...{ model: one, kind: 'json_schema', stream: false, answers: 12, cost: 0.0012 },
  ...{ first_byte_ms: { p50: 210, p95: 1200 }, total_ms: { p50: 850, p95: 3400 } },
  ...{ tokens: { prompt: 120, completion: 340, reasoning: 210 }, tokens_per_second: { p50: 45.2, p95: 60 } },
};
const structured: Recommendation = {
  ...{ model: one, need: 'structured', form: 'json_schema', because: 'json_schema passes.', alternatives: [] },
  ...{ settings: { max_tokens: '2048', thinking: 'disabled' }, caveats: ['schema ignored: validate'] },
  request: { max_tokens: 2048, ...disabled },
};
const cell = (changes: Parameters<typeof aReportCell>[0]) =>
  aReportCell({ model: one, capability: 'json_schema', trials: { passed: 6, total: 6 }, ...changes });

function reportOf(changes: Partial<Report> = {}): Report {
  const cells = [
    cell({ probe: 'a', point: { max_tokens: '2048' } }),
    cell({ probe: 'a', point: { max_tokens: '4096' } }),
    cell({ probe: 'a', point: { max_tokens: '512' }, verdict: 'fail', trials: { passed: 0, total: 6 } }),
    cell({ probe: 'b', point: { thinking: 'enabled' }, verdict: 'fail', trials: { passed: 0, total: 6 } }),
    cell({ probe: 'b', point: { thinking: 'disabled' }, verdict: 'inconclusive', trials: { passed: 0, total: 0 } }),
  ];
  const capability = { model: one, condition: null, cells: cells.map(({ key }) => key) };
  return aReport({
    ...{ cells, models: [aReportModel(one, { client })], recommendations: [structured], latency: [latency] },
    capabilities: [
      { ...capability, capability: 'json_schema', verdict: 'partial' },
      { ...capability, capability: 'stream.chat', verdict: 'pass', cells: [cells[0]!.key] },
      {
        ...{ ...capability, capability: 'thinking.disabled', verdict: 'partial', condition: 'max_tokens >= 1280' },
        ...{ settings: { max_tokens: '1280' }, request: { max_tokens: 1280 } },
      },
      { ...capability, capability: 'thinking.enabled', verdict: 'flaky' },
      { ...capability, capability: 'tools', verdict: 'pass' },
    ],
    ...changes,
  });
}

describe('choosing a model', () => {
  test('lists the needs that were asked, with the models that serve them and those that do not', () => {
    const rows = choicesOf(reportOf());
    expect(
      rows.map(({ id, title, choices, without }) => [
        ...[id, title, choices.map(({ model }) => model)],
        without.map(({ model }) => model),
      ]),
    ).toEqual([
      ['structured', 'Fixed fields (a schema)', [one], []],
      ['stream.chat', 'Streamed text', [one], []],
      ['thinking.disabled', 'Thinking: disabled', [one], []],
      ['thinking.enabled', 'Thinking: enabled', [], [one]],
    ]);
    expect(choicesOf(reportOf({ recommendations: [{ ...structured, form: null }] }))[0]).toMatchObject({
      ...{ choices: [], without: [{ model: one, because: structured.because }] },
    });
  });

  test('counts the trials that were asked with these settings, and no others', () => {
    const [row] = choicesOf(reportOf());
    expect(row?.choices[0]).toMatchObject({
      ...{ settings: ['max_tokens=2048', 'thinking=disabled'], caveats: ['schema ignored: validate'], latency },
      rate: { passed: 12, total: 12, cells: 2, text: '12 of 12 trials passed (76 to 100 %) in 2 cells' },
    });
  });

  test('leaves out cells that were asked with a cap of their own, and counts the budget of the form', () => {
    const needed: Recommendation = { ...structured, settings: { max_tokens: '4096' } };
    const unnamed = cell({ probe: 'c', verdict: 'fail', trials: { passed: 0, total: 11 } });
    const budget = { probe: 'd', capability: 'budget.json_schema' };
    const enough = cell({ ...budget, point: { max_tokens: '4096' }, trials: { passed: 3, total: 3 } });
    const less = cell({ ...budget, point: { max_tokens: '1024' }, verdict: 'fail', trials: { passed: 0, total: 3 } });
    const known = { model: one, condition: null, verdict: 'partial' } as const;
    const report = {
      ...{ cells: [unnamed, enough, less], recommendations: [needed] },
      capabilities: [
        { ...known, capability: 'json_schema', cells: [unnamed.key] },
        { ...known, capability: 'budget.json_schema', cells: [enough.key, less.key] },
      ],
    };
    expect(choicesOf(reportOf(report))[0]?.choices[0]?.rate).toMatchObject({ passed: 3, total: 3, cells: 1 });
    expect(choicesOf(reportOf({ ...report, capabilities: report.capabilities.slice(0, 1) }))[0]?.choices[0]?.rate).toBe(
      null,
    );
  });

  test('says the condition of what passes only in part', () => {
    const row = choicesOf(reportOf()).find(({ id }) => id === 'thinking.disabled');
    expect(row?.choices[0]).toMatchObject({
      caveats: ['max_tokens >= 1280'],
      settings: ['thinking=disabled', 'max_tokens=1280'],
      rate: { passed: 12, total: 12, cells: 2 },
      request: { body: { ...disabled, max_tokens: 1280 } },
    });
  });

  test('takes the times of the right kind of answer', () => {
    const times = [
      latency,
      { ...latency, kind: 'text', stream: true },
      { ...latency, kind: 'thinking.disabled', stream: null },
    ] as const;
    const rows = choicesOf(reportOf({ latency: times }));
    expect(rows.map(({ choices }) => choices[0]?.latency?.kind)).toEqual([
      'json_schema',
      'text',
      'thinking.disabled',
      undefined,
    ]);
    expect(latencyText(latency)).toBe('first byte 210 ms / 1.2 s, whole 850 ms / 3.4 s (12 answers of this kind)');
    expect(tokensText(latency)).toBe('120 in, 340 out (210 for reasoning), 45 a second, cost 0.0012');
  });

  test('has no snippet where an older report does not say what the settings stand for', () => {
    const older: Recommendation = { ...structured };
    Reflect.deleteProperty(older, 'request');
    const requestOf = (recommendation: Recommendation) =>
      choicesOf(reportOf({ recommendations: [recommendation] }))[0]?.choices[0]?.request;
    expect(requestOf(older)).toBeNull();
    expect(requestOf({ ...older, settings: { json_word: 'required' } })?.body['messages']).toHaveLength(2);
  });
});

describe('the snippets', () => {
  const request = choicesOf(reportOf())[0]!.choices[0]!.request!;

  test('carry the model, the settings and the name of the variable of the key', () => {
    expect(request).toMatchObject({
      ...{ baseUrl: 'https://service.example/v1', keyVariable: 'SERVICE_KEY' },
      body: {
        model: 'one',
        max_tokens: 2048,
        thinking: { type: 'disabled' },
        response_format: { type: 'json_schema' },
      },
    });
    const { curl, typescript, python } = snippetsOf(request);
    expect(curl).toContain(
      'curl -sS \'https://service.example/v1/chat/completions\' \\\n  -H "Authorization: Bearer $SERVICE_KEY"',
    );
    const sent = /--data-raw '([\s\S]*)'$/.exec(curl)?.[1] ?? '';
    expect(JSON.parse(sent)).toEqual(request.body);
    expect(typescript).toContain(`apiKey: process.env["SERVICE_KEY"]`);
    expect(JSON.parse(/const body = (\{[\s\S]*?\n\});/.exec(typescript)?.[1] ?? '')).toEqual(request.body);
    expect(python).toContain('api_key=os.environ["SERVICE_KEY"]');
    expect(python).toContain(
      '    extra_body={\n        "thinking": {\n            "type": "disabled",\n        },\n    },',
    );
    expect(python).toContain('"additionalProperties": False,');
  });

  test('read the address from the environment where the service has none of its own', () => {
    const { curl, typescript, python } = snippetsOf({
      ...request,
      baseUrl: null,
      body: { model: "o'ne", stream: true },
    });
    expect(curl).toContain('curl -sS -N "$BASE_URL/chat/completions"');
    expect(curl).toContain(String.raw`"model": "o'\''ne"`);
    expect(typescript).toContain(`baseURL: process.env['BASE_URL']`);
    expect(typescript).toContain('for await (const chunk of chunks)');
    expect(python).toContain('base_url=os.environ["BASE_URL"]');
    expect(python).toContain('    stream=True,');
  });
});

describe('streams and thinking', () => {
  const streamed = (changes: Parameters<typeof aReportCell>[0]) =>
    aReportCell({ model: one, suite: 's', probe: 'x', capability: 'stream.tools', ...changes });
  const required = streamed({ point: { tool_choice: 'required' }, trials: { passed: 1, total: 1 } });
  const object = streamed({
    ...{ point: { tool_choice: 'object' }, verdict: 'fail' as const, trials: { passed: 0, total: 21 } },
  });
  const capabilityOf = (
    capability: string,
    cells: readonly ReportCell[],
    changes: Partial<ReportCapability> = {},
  ): ReportCapability => ({
    ...{ model: one, capability, verdict: 'pass', condition: null, cells: cells.map(({ key }) => key) },
    ...changes,
  });
  const onlyRequired = {
    verdict: 'partial',
    condition: 'only with tool_choice=required',
    settings: { tool_choice: 'required' },
    request: { tool_choice: 'required' },
  } as const;
  const rowsOf = (
    cells: readonly ReportCell[],
    capabilities: readonly ReportCapability[],
    more: Partial<Report> = {},
  ) => choicesOf(reportOf({ cells, capabilities, recommendations: [], ...more }));

  test('are offered with the settings of their condition, in what to send, in the rate and in the request', () => {
    const [row] = rowsOf([required, object], [capabilityOf('stream.tools', [required, object], onlyRequired)]);
    expect(row?.choices[0]).toMatchObject({
      settings: ['stream=true', 'tool_choice=required'],
      caveats: ['only with tool_choice=required', 'known from a single trial only'],
      rate: { passed: 1, total: 1, cells: 1 },
      request: { body: { stream: true, tool_choice: 'required' } },
    });
    const { curl, typescript, python } = snippetsOf(row!.choices[0]!.request!);
    expect(curl).toContain('"tool_choice": "required"');
    expect(typescript).toContain('delta?.tool_calls');
    expect(python).toContain('    tool_choice="required",');
    expect(python).toContain('delta.tool_calls or []');
  });

  test('send a tool_choice that was asked where none was asked without', () => {
    const passing = streamed({ point: { tool_choice: 'object' }, trials: { passed: 1, total: 1 } });
    const [row] = rowsOf([passing, required], [capabilityOf('stream.tools', [passing, required])]);
    expect(row?.choices[0]?.request?.body).toMatchObject({ tool_choice: 'required', stream: true });
    const [named] = rowsOf([passing], [capabilityOf('stream.tools', [passing])]);
    expect(named?.choices[0]?.request?.body['tool_choice']).toEqual({
      ...{ type: 'function', function: { name: 'record_invoice' } },
    });
  });

  test('are no choice where a condition is about probes, which nobody can send', () => {
    const [fails, passes] = [
      streamed({ capability: 'thinking.enabled', verdict: 'fail', trials: { passed: 0, total: 1 } }),
      streamed({ probe: 'y', capability: 'thinking.enabled', trials: { passed: 1, total: 1 } }),
    ];
    const partial = { verdict: 'partial', condition: 'not with probe s/x' } as const;
    const [row] = rowsOf([fails, passes], [capabilityOf('thinking.enabled', [fails, passes], partial)]);
    expect(row).toMatchObject({
      choices: [],
      without: [{ model: one, because: '1 of 2 cells passed, 1 of 2 trials: not with probe s/x' }],
    });
  });

  test('are no choice where the form is flaky without a stream, and the streams may have been lucky', () => {
    const plain = cell({ probe: 'a', verdict: 'flaky', trials: { passed: 5, total: 13 } });
    const rowWith = (total: number) => {
      const stream = streamed({ capability: 'stream.json_schema', trials: { passed: total, total } });
      const all = [capabilityOf('json_schema', [plain]), capabilityOf('stream.json_schema', [stream])];
      return rowsOf([plain, stream], all)[0];
    };
    expect(rowWith(1)).toMatchObject({
      choices: [],
      without: [{ because: '1 of 1 trial passed, which may be luck: json_schema is flaky (5 of 13)' }],
    });
    expect(rowWith(30)?.choices).toHaveLength(1);
  });

  test('have the quirks of their own answers', () => {
    const quirk = (only: ReportQuirk['only'], name: ReportQuirk['quirk']): ReportQuirk => ({
      ...{
        model: one,
        quirk: name,
        standing: 'as_expected',
        seen: 5,
        of: 5,
        only,
        cells: [],
        breaks: ['clients break'],
      },
      exchange: null,
    });
    const wire = [quirk('streamed', 'choice_index_missing'), quirk('plain', 'tool_call_index_missing')];
    const capabilities = [capabilityOf('stream.tools', [required])];
    const [row] = rowsOf([required], capabilities, { wire });
    expect(row?.choices[0]?.caveats).toContain('choice_index_missing: clients break');
    expect(row?.choices[0]?.caveats).not.toContain('tool_call_index_missing: clients break');
  });
});

test('a model that is gone or of which nothing was judged stands beside every need', () => {
  const gone = aReportModel('demo/gone', { reachable: false, standing: 'gone' });
  const silent = aReportModel('demo/silent');
  const report = reportOf();
  const rows = choicesOf({ ...report, models: [...report.models, gone, silent] });
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) {
    expect(row.choices.length + row.without.length).toBe(1);
    expect(row.unmeasured).toEqual([
      { model: 'demo/gone', because: 'gone' },
      { model: 'demo/silent', because: 'nothing was judged' },
    ]);
  }
});

test('the trials behind a recommendation are those that it rests on', () => {
  const trials = { passed: 33, total: 33, cells: 3 };
  const [row] = choicesOf(reportOf({ recommendations: [{ ...structured, trials }] }));
  expect(row?.choices[0]?.rate).toMatchObject({ ...trials, text: '33 of 33 trials passed (90 to 100 %) in 3 cells' });
});
