import { beforeAll, describe, expect, test } from 'vitest';
import {
  aFailure,
  aFinding,
  aFinishedEvent,
  aModel,
  aModelEvent,
  anExchangeRecord,
  anOutcome,
  aPlan,
  aStartedEvent,
  aTarget,
  aPlannedCell,
  aTrialEvent,
} from '../../test/support/build.js';
import { syntheticMatrix } from '../../test/support/synthetic-matrix.js';
import type { RunEvent } from '../journal/event.js';
import { openGathering } from '../report/gather/gather.js';
import type { Plan } from '../plan/plan.js';
import { buildReport } from '../assemble/make-report.js';
import type { NeedName } from '../suite/suite-file.js';
import type { CapabilityCatalogue } from '../suite/read/capability-catalogue.js';
import type { Report } from './report-format.js';

async function built(
  cells: Plan['cells'],
  events: readonly RunEvent[],
  today = '2026-11-20',
  catalogue?: CapabilityCatalogue,
) {
  const gathering = openGathering();
  for (const event of [aStartedEvent(), ...events, aFinishedEvent()]) gathering.onEvent(event);
  const prices = cells.map(({ cell }) => ({ ...cell.model, price: { prompt: 1, completion: 2 } }));
  const config = { targets: [{ models: prices }], maxUnmeasured: 0.25 } as unknown as Parameters<
    typeof buildReport
  >[0]['config'];
  return buildReport({
    ...{ plan: aPlan(cells), gathered: gathering.gathered(), behaviours: [], config, today },
    ...(catalogue === undefined ? {} : { catalogue }),
  });
}

describe('a matrix of a dozen models', () => {
  let report: Report;
  beforeAll(async () => {
    ({ report } = await syntheticMatrix());
  });

  const verdict = (of: string, capability: string) =>
    report.capabilities.find((one) => one.model === `demo/${of}` && one.capability === capability)?.verdict;
  const advice = (of: string, need: NeedName) =>
    report.recommendations.find((one) => one.model === `demo/${of}` && one.need === need);

  test('shows what is wrong with each, and no fault of the reference', () => {
    expect(report.cells.filter((cell) => cell.model === 'demo/sim-reference' && cell.verdict !== 'pass')).toEqual([]);
    expect(verdict('sim-object-500', 'tool_choice.object')).toBe('fail');
    expect(verdict('sim-thinks-badly', 'stream.json_schema')).toBe('partial');
    expect(verdict('sim-wobbly', 'strict.conflict')).toBe('flaky');
    expect(verdict('sim-gone', 'chat')).toBe('inconclusive');
  });

  test('recommends a form, with its settings, for every need', () => {
    expect(advice('sim-reference', 'structured')).toMatchObject({ form: 'json_schema', settings: {} });
    expect(advice('sim-hungry', 'structured')).toMatchObject({
      form: 'json_schema',
      settings: { max_tokens: '1280' },
    });
    expect(advice('sim-empty', 'structured')).toMatchObject({
      form: 'tool_choice.required',
      settings: { tool_choice: 'required' },
    });
    expect(advice('sim-object-500', 'tool_call')).toMatchObject({ form: 'tool_choice.required' });
    expect(advice('sim-schema-only', 'tool_call')).toMatchObject({ form: null, settings: {} });
    expect(advice('sim-schema-only', 'tool_call')?.alternatives).toContain('demo/sim-reference');
    expect(advice('sim-schema-only', 'free_json')).toMatchObject({ form: 'json_schema' });
    expect(report.recommendations.some((one) => one.model === 'demo/sim-gone')).toBe(false);
  });

  test('puts the number into the behaviour', () => {
    expect(report.behaviours.find(({ id }) => id === 'json-schema-needs-max-tokens')?.title).toContain('1280');
  });
});

describe('models', () => {
  const one = aPlannedCell({ path: 'suite/probe' });
  const away = { class: 'http_error', reason: 'model_not_found', status: 404 } as const;
  const other = (changes = {}) => aPlannedCell({ path: 'suite/probe', model: aModel('demo/two', changes) });

  test.each<[string, ReturnType<typeof other>, readonly RunEvent[], string, boolean]>([
    ['known', other(), [aModelEvent('demo/one'), aModelEvent('demo/two')], 'known', false],
    [
      'new',
      aPlannedCell({ path: 'suite/probe', model: aModel('demo/two'), expected: { kind: 'new' } }),
      [aModelEvent('demo/one'), aModelEvent('demo/two')],
      'new',
      false,
    ],
    ['gone', other(), [aModelEvent('demo/one'), aModelEvent('demo/two', away)], 'gone', false],
    [
      'unknown to the service and to every earlier run',
      aPlannedCell({ path: 'suite/probe', model: aModel('demo/two'), expected: { kind: 'new' } }),
      [aModelEvent('demo/one'), aModelEvent('demo/two', away)],
      'new',
      false,
    ],
    [
      'gone as announced',
      other({ retired: '2026-11-20' }),
      [aModelEvent('demo/one'), aModelEvent('demo/two', away)],
      'gone',
      true,
    ],
    [
      'not yet retired',
      other({ retired: '2026-11-21' }),
      [aModelEvent('demo/one'), aModelEvent('demo/two', away)],
      'gone',
      false,
    ],
    [
      'no model of the target answers',
      other(),
      [aModelEvent('demo/one', away), aModelEvent('demo/two', away)],
      'known',
      false,
    ],
    [
      'another target answers',
      aPlannedCell({ path: 'suite/probe', model: aModel('demo/two', { target: 'else' }) }),
      [aModelEvent('demo/one'), aModelEvent('else/two', away)],
      'known',
      false,
    ],
    [
      'not reached for another reason',
      other(),
      [aModelEvent('demo/one'), aModelEvent('demo/two', { class: 'transport' })],
      'known',
      false,
    ],
  ])('%s', async (_, second, events, standing, retired) => {
    expect((await built([one, second], events)).models[1]).toMatchObject({ standing, retired });
  });
});

describe('what suites declare about capabilities', () => {
  const ids = ['own.b', 'json_schema', 'own.a', 'chat'];
  const cells = ids.map((capability) => aPlannedCell({ path: `suite/${capability.replace(/[._]/, '-')}`, capability }));
  const passes = ({ cell }: (typeof cells)[number]): RunEvent => ({
    ...{ type: 'cell', cell: cell.key, finding: aFinding(1, 0), exchanges: [] },
  });
  const events = [aModelEvent('demo/one'), ...cells.map(passes)];
  const form = (capability: string) => ({
    ...{ need: 'structured' as const, capability, order: 0, settings: { style: 'x' }, care: 'take care', budget: null },
  });

  test('gives the order of families, and the forms of a need', async () => {
    const families = ['json_schema', 'stream', 'own'].map((name) => ({ name, order: 0 }));
    const forms = ['tools', 'own.a', 'json_schema'].map(form);
    const report = await built(cells, events, '2026-11-20', { families, forms });
    expect(report.families).toEqual(['json_schema', 'own', 'chat']);
    expect(report.recommendations).toMatchObject([{ need: 'structured', form: 'own.a', settings: { style: 'x' } }]);
  });

  test('may be missing: capabilities keep their order, and nothing is recommended', async () => {
    const report = await built(cells, events);
    expect(report.families).toEqual(['own', 'json_schema', 'chat']);
    expect(report.recommendations).toEqual([]);
  });
});

describe('the run', () => {
  const one = aPlannedCell({ path: 'suite/probe' });
  const { key } = one.cell;

  test('counts requests, tokens and cost, and keeps what support asks for', async () => {
    const report = await built(
      [one],
      [
        aModelEvent('demo/one'),
        anExchangeRecord('x1', key, { served: 'one-0925' }),
        anExchangeRecord('x2', key, { purpose: 'control', served: 'one-0925' }),
        aTrialEvent(key, 0, aFailure({ violations: [{ at: '/total', message: 'must be number' }] }), ['x1', 'x2']),
        { type: 'cell', cell: key, finding: aFinding(0, 1), exchanges: ['x1', 'x2'] },
      ],
    );
    expect(report.run).toMatchObject({ requests: 2, cost: (80 * 1 + 24 * 2) / 1e6, complete: true });
    expect(report.run.usage).toEqual({
      prompt_tokens: 80,
      completion_tokens: 24,
      reasoning_tokens: 6,
      total_tokens: 104,
    });
    expect(report.models[0]?.served).toEqual(['one-0925']);
    expect(report.cells[0]?.failures[0]).toMatchObject({
      exchange: 'x1',
      response_id: 'chatcmpl-x1',
      violations: [{ at: '/total', message: 'must be number' }],
    });
    expect(report.cells[0]?.failures[0]?.traceresponse).toMatch(/^00-/);
  });

  test('names what was not asked, and why it stopped', async () => {
    const stop = {
      ...{ target: null, model: null },
      kind: 'budget',
      unit: 'requests',
      limit: 10,
      shard_part: false,
    } as const;
    const report = await built([one], [{ type: 'stopped', stop }]);
    expect(report.cells[0]).toMatchObject({ verdict: 'not_run', standing: null });
    expect(report.run.stops).toEqual([stop]);
    expect(report.run.notes).toEqual([expect.stringMatching(/^100 %.*25 %/)]);
  });

  test('notes when more cells are unmeasured than the config allows', async () => {
    const cells = ['suite/a', 'suite/b', 'suite/c', 'suite/d'].map((path) => aPlannedCell({ path }));
    const found = (of: (typeof cells)[number]): RunEvent => ({
      ...{ type: 'cell', cell: of.cell.key, finding: aFinding(1, 0), exchanges: [] },
    });
    const notes = async (measured: number) => (await built(cells, cells.slice(0, measured).map(found))).run.notes;
    expect(await notes(3)).toEqual([]);
    expect(await notes(2)).toEqual([expect.stringMatching(/^50 %.*25 %/)]);
  });

  test('is not complete without its last line', () => {
    const complete = (events: readonly RunEvent[]) => {
      const gathering = openGathering();
      for (const event of events) gathering.onEvent(event);
      return gathering.gathered().run.complete;
    };
    expect(complete([aStartedEvent()])).toBe(false);
    expect(complete([aStartedEvent(), aFinishedEvent()])).toBe(true);
  });

  test.each([
    [{ shard: { index: 2, of: 3 } }, { index: 2, of: 3 }],
    [{ shard: null, merged: { of: 2, shards: [1, 2] } }, undefined],
    [{ shard: null }, undefined],
  ])('names the shard it is: %j', (part, shard) => {
    const gathering = openGathering();
    gathering.onEvent({ ...aStartedEvent(), ...part });
    expect(gathering.gathered().run.shard).toEqual(shard);
  });

  test('keeps the shards that are missing', () => {
    const gathering = openGathering();
    gathering.onEvent(aStartedEvent());
    const stop = { target: null, model: null, kind: 'missing_shard', shard: 2, of: 3 } as const;
    gathering.onEvent({ type: 'stopped', stop });
    expect(gathering.gathered().run.stops).toEqual([stop]);
  });
});

test('says how long answers took and what one costs', async () => {
  const planned = aPlannedCell();
  const { key, model } = planned.cell;
  const report = await built(
    [planned],
    [
      aModelEvent(model.key),
      anExchangeRecord('x1', key),
      aTrialEvent(key, 0, anOutcome(), ['x1']),
      { type: 'cell', cell: key, finding: aFinding(1, 0), exchanges: ['x1'] },
    ],
  );
  expect(report.latency).toEqual(
    [
      {
        ...{ model: model.key, kind: 'text', stream: false, answers: 1 },
        ...{ headers_ms: { p50: 20, p95: 20 }, first_content_ms: null, total_ms: { p50: 30, p95: 30 } },
        tokens_per_second: { p50: 400, p95: 400 },
        tokens: { prompt: 40, completion: 12, reasoning: 3 },
        // A prompt token costs 1 and another 2, a million of them.
        ...{ cost: 64e-6, price: { prompt: 1, completion: 2 } },
      },
    ].map((one) => ({
      ...one,
      headers_ms: near(one.headers_ms),
      total_ms: near(one.total_ms),
      tokens_per_second: near(one.tokens_per_second),
    })),
  );
});

/** Quantiles are known within 1 %. */
function near({ p50, p95 }: { readonly p50: number; readonly p95: number }): unknown {
  const about = (value: number): unknown => expect.closeTo(value, value > 100 ? -1 : 0);
  return { p50: about(p50), p95: about(p95) };
}

test('says how a client reaches the model, without a key', async () => {
  const thinking = { disabled: { thinking: { type: 'disabled' } }, default: null };
  const model = aModel('real/one', { settings: { thinking } });
  const [planned, simulated] = [aPlannedCell({ model }), aPlannedCell({ model: aModel('demo/one') })];
  const targets = [
    aTarget('real', { baseUrl: 'https://service.example/v1', apiKeyEnv: 'SERVICE_KEY', models: [model] }),
    aTarget('demo', { baseUrl: 'simulator', models: [simulated.cell.model] }),
  ];
  const { models } = await buildReport({
    ...{ plan: aPlan([planned, simulated]), gathered: openGathering().gathered(), behaviours: [], today: '2026-11-20' },
    config: { targets, maxUnmeasured: 1 },
  });
  expect(models.map(({ client }) => client)).toEqual([
    { base_url: 'https://service.example/v1', api_key_env: 'SERVICE_KEY', settings: { thinking } },
    { base_url: null, api_key_env: null },
  ]);
});
