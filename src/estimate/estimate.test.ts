import { describe, expect, test } from 'vitest';
import { aConfig, aModel, anEntry, aProbe, aSettingsAxis, aSuite, aTarget } from '../../test/support/build.js';
import type { Baseline, BaselineEntry } from '../baseline/entries.js';
import type { Config } from '../config/config.js';
import type { Probe, Step } from '../suite/probe.js';
import { estimate, shortBudgets } from './estimate.js';
import { makePlan } from '../plan/make-plan.js';
import type { PlanOptions } from '../plan/make-plan.js';

const ask = (id = 'request', more = {}): Step => ({ kind: 'ask', id, request: { messages: [], ...more }, expect: {} });
const covering = (expect: Baseline['expect'] = []): Baseline => ({
  file: '',
  covers: [{ cells: '*', trials: null }],
  expect,
});
const one = (limits = {}, more = {}) => aConfig([aTarget('t', { limits, models: [aModel('t/m', more)] })]);

function estimated(
  changes: Partial<Probe>,
  options: PlanOptions = {},
  config: Config = one(),
  baseline: Baseline | null = null,
) {
  const suites = [aSuite('s', [aProbe('s/p', { steps: [ask()], ...changes })])];
  return estimate(makePlan({ config, suites, baseline, options }).plan, config);
}

describe('estimate', () => {
  test('counts trials, steps, retries of the client, and the fresh trials that confirm a difference', () => {
    expect(estimated({}, { trials: 3 }).cells[0]?.requests).toMatchObject({ expected: 3, largest: 3 });
    expect(estimated({ trials: { kind: 'count', count: 5 } }).cells[0]?.requests).toMatchObject({
      expected: 5,
      largest: 65,
    });
    const run: Step = { kind: 'run', id: 'tool', result: {} };
    expect(estimated({ steps: [ask('call'), run, ask('summary')] }, { trials: 2 }).cells[0]?.requests).toEqual({
      expected: 4,
      largest: 4,
    });
    const retry = { on: ['not_json' as const], max: 2, temperature: 0 };
    expect(estimated({ retry }, { trials: 2 }).cells[0]?.requests).toMatchObject({ expected: 2, largest: 6 });
  });

  test('expects ten straight passes, or two straight failures, of the sequential test', () => {
    const decided: PlanOptions = { profile: 'certify' };
    const failing = { key: 's/p@t/m', verdict: 'fail', class: null, status: null, passed: 1, total: 2 } as const;
    const known = covering([anEntry(failing).entry]);
    const expected = (baseline: Baseline | null) => estimated({}, decided, one(), baseline).cells[0]?.requests;
    expect(expected(null)).toMatchObject({ expected: 10, largest: 100 });
    expect(expected(known)).toMatchObject({ expected: 2, largest: 100 });
  });

  test('doubles and bisects for find, and rechecks a stored threshold at two values', () => {
    const find = { axis: 'max_tokens', from: 16, to: 16384, tolerance: 0.125 };
    expect(estimated({ find }, { trials: 1 }).cells[0]?.requests).toMatchObject({ expected: 9, largest: 14 });
    const baseline = { ...covering(), thresholds: [{ key: 's/p@t/m', value: 64, date: '', note: null, link: null }] };
    expect(estimated({ find }, { trials: 1 }, one(), baseline).cells[0]?.requests.expected).toBe(2);
  });

  test('asks seven echoes of a keyword of which nothing is known, and three of a composite document', () => {
    const enforce = { keyword: 'enum', schema: { type: 'object' }, valid: {}, invalid: {} };
    expect(estimated({ enforce }, { profile: 'smoke' }).cells[0]?.requests).toMatchObject({ expected: 3, largest: 4 });
    expect(estimated({ enforce }).cells[0]?.requests).toMatchObject({ expected: 9, largest: 150 });
    const composite = { ...enforce, keyword: 'composite' };
    expect(estimated({ enforce: composite }).cells[0]?.requests.expected).toBe(5);
  });

  test('counts a token for four bytes that the model reads, and a usual answer or the lower cap; at most the whole body and the cap, or 1024 tokens', () => {
    const tokensOf = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
    const messages = [{ role: 'user', content: '{{text}} {{unknown}}' }];
    const samples = [{ text: 'Say hello to everybody in the room, please.' }];
    const filled = [{ role: 'user', content: `${samples[0]?.text} {{unknown}}` }];
    const tokens = (more = {}, options: PlanOptions = { trials: 1 }) =>
      estimated({ steps: [ask('request', { messages, ...more })], samples }, options).cells[0]?.tokens;
    expect(tokens({}, { trials: 2 })).toMatchObject({
      expected: 2 * (tokensOf([filled, null]) + 40),
      largest: 2 * (tokensOf({ messages }) + 1024),
    });
    expect(tokens({ max_tokens: 10 })?.expected).toBe(tokensOf([filled, null]) + 10);
    const schema = { response_format: { type: 'json_schema', json_schema: { name: 'long', schema: {} } } };
    expect(tokens(schema)?.expected).toBe(tokensOf([filled, null]) + 100);
    expect(tokens({ tools: [1, 2, 3] })?.expected).toBe(tokensOf([filled, [1, 2, 3]]) + 100);
  });

  test('adds a control for each model, and nothing for cells whose needs cannot be met', () => {
    const plain = estimated({}, { trials: 1 });
    expect([plain.controls, plain.requests.expected]).toEqual([1, 2]);
    const need = { probe: 's/first', place: { file: '', line: 1, column: 1 } };
    const probes = [aProbe('s/first', { axes: [aSettingsAxis('thinking')] }), aProbe('s/second', { needs: [need] })];
    const { plan } = makePlan({ config: one(), suites: [aSuite('s', probes)], baseline: null });
    const blocked = estimate(plan, one());
    const none = { expected: 0, largest: 0 };
    expect([blocked.controls, blocked.requests, blocked.cells.map(({ requests }) => requests)]).toEqual([
      0,
      none,
      [none],
    ]);
  });

  test('gives the cost by the prices, and none without a price', () => {
    expect(estimated({}).cost).toBeNull();
    const priced = estimated(
      { steps: [ask('request', { max_tokens: 1000 })] },
      { trials: 1 },
      one({}, { price: { prompt: 0, completion: 2 } }),
    );
    expect(priced.cells[0]?.cost?.largest).toBeCloseTo(1000 * 2e-6, 9);
    expect(priced.cost?.largest).toBeCloseTo((1000 + 256) * 2e-6, 9);
    expect(priced.cost?.expected).toBeCloseTo((40 + 100) * 2e-6, 9);
  });

  describe('of what the baseline knows', () => {
    const entry = (more: Partial<BaselineEntry>, key = 's/p@t/m'): BaselineEntry => ({
      ...anEntry({ key, class: 'not_json', ...more }).entry,
    });
    const expected = (changes: Partial<Probe>, more: Partial<BaselineEntry>, options: PlanOptions = {}) =>
      estimated(changes, options, one(), covering([entry(more)])).cells[0]?.requests.expected;

    test('a server error takes two requests, a control and one more; another failure takes one', () => {
      expect(expected({}, { class: 'http_error', reason: 'server_error', status: 500 })).toBe(4);
      expect(expected({}, { class: 'http_error', reason: 'parameter_rejected', status: 400 })).toBe(1);
    });
    test('a refusal takes no tokens', () => {
      const refused = covering([entry({ class: 'http_error', reason: 'parameter_rejected', status: 400 })]);
      expect(estimated({}, {}, one(), refused).cells[0]?.tokens.expected).toBe(0);
    });
    test('a flow that fails ends at its first step or at a later one', () => {
      const run: Step = { kind: 'run', id: 'tool', result: {} };
      expect(expected({ steps: [ask('a'), run, ask('b'), ask('c')] }, {})).toBe(2);
    });
    test('a cell is not asked where it needs one that fails', () => {
      const need = { probe: 's/p', place: { file: '', line: 1, column: 1 } };
      const second = { probe: 's/second', place: need.place };
      const probes = [
        aProbe('s/p', { steps: [ask()] }),
        aProbe('s/second', { steps: [ask()], needs: [need] }),
        aProbe('s/third', { steps: [ask()], needs: [second] }),
      ];
      const { plan } = makePlan({ config: one(), suites: [aSuite('s', probes)], baseline: covering([entry({})]) });
      expect(estimate(plan, one()).cells.map(({ requests }) => requests.expected)).toEqual([1, 0, 0]);
      const flaky = covering([entry({ verdict: 'flaky', passed: 19, total: 20 })]);
      const met = makePlan({ config: one(), suites: [aSuite('s', probes)], baseline: flaky }).plan;
      expect(
        estimate(met, one())
          .cells.slice(1)
          .map(({ requests }) => requests.expected),
      ).toEqual([1, 1]);
    });
  });

  test('gives the time that the limits impose', () => {
    const seconds = (trials: number, limits = {}, more = {}) =>
      estimated({}, { trials }, one(limits, more)).seconds.expected;
    expect(seconds(11, { concurrency: 4 })).toBe(3);
    expect(seconds(11, { concurrency: 4 }, { concurrency: 1 })).toBe(12);
    expect(seconds(59, { concurrency: 100, requestsPerMinute: 60 })).toBe(1);
    expect(seconds(60, { concurrency: 100, requestsPerMinute: 60 })).toBe(60);
    expect(seconds(100, { concurrency: 100, tokensPerMinute: 2_000 })).toBe(120);
  });

  test('takes answers to last as long as those that were seen, and one second where none was', () => {
    const seconds = (pace: number | null, limits = {}) => {
      const config = one(limits);
      const { plan } = makePlan({
        config,
        suites: [aSuite('s', [aProbe('s/p', { steps: [ask()] })])],
        baseline: null,
        options: { trials: 11 },
      });
      const key = config.targets[0]!.models[0]!.key;
      return estimate(plan, config, pace === null ? {} : { paces: new Map([[key, pace]]) });
    };
    // Twelve requests, the opening control included.
    expect(seconds(null, { concurrency: 4 })).toMatchObject({ seconds: { expected: 3 }, unseen: [expect.any(String)] });
    expect(seconds(7.5, { concurrency: 4 })).toMatchObject({ seconds: { expected: 22.5 }, unseen: [] });
    expect(seconds(0.01, { concurrency: 4 }).seconds.expected).toBeCloseTo(0.03);
    expect(seconds(0.01, { concurrency: 4, requestsPerMinute: 6 }).seconds.expected).toBe(60);
    const models = [aModel('t/m'), aModel('t/idle')];
    const two = aConfig([aTarget('t', { models })]);
    const probe = aProbe('s/p', { steps: [ask()] });
    const { plan } = makePlan({
      config: two,
      suites: [aSuite('s', [probe])],
      baseline: null,
      options: { models: ['m'] },
    });
    expect(estimate(plan, two).seconds.expected).toBe(1);
  });

  test('takes targets of one key together, under the strictest of their limits, and a shard gets its part of them', () => {
    const limits = { concurrency: 100, requestsPerMinute: 10 };
    const targets = ['a', 'b'].map((name) => aTarget(name, { limits, models: [aModel(`${name}/m`)] }));
    targets.push(aTarget('c', { limits: { ...limits, requestsPerMinute: 1 }, models: [] }));
    const config = aConfig(targets);
    const { plan } = makePlan({
      config,
      suites: [aSuite('s', [aProbe('s/p', { steps: [ask()] })])],
      baseline: null,
      options: { trials: 9 },
    });
    const seconds = (sending = {}) => estimate(plan, config, sending).seconds.expected;
    // Ten requests each, the opening control included.
    expect(seconds()).toBe(1);
    const accounts = new Map([
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'x'],
    ]);
    expect(seconds({ accounts })).toBe(60);
    expect(seconds({ accounts, shards: 2 })).toBe(180);
    expect(seconds({ accounts, shards: 20 })).toBe(19 * 120);
  });
});

test.each([
  [{}, 1, []],
  [{ requests: 400, tokens: 100_000, cost: 50 }, 1, []],
  [{ requests: 399 }, 1, [{ unit: 'requests', limit: 399, below: 'largest' }]],
  [{ requests: 39 }, 1, [{ unit: 'requests', limit: 39, below: 'expected' }]],
  [{ tokens: 999 }, 1, [{ unit: 'tokens', limit: 999, below: 'expected' }]],
  [{ cost: 0.4 }, 1, [{ unit: 'cost', limit: 0.4, below: 'expected' }]],
  [{ requests: 100 }, 1 / 3, [{ unit: 'requests', limit: 33, below: 'expected' }]],
] as const)('a budget of %j is short for a share of %d', (budget, share, short) => {
  const amount = {
    requests: { expected: 40, largest: 400 },
    tokens: { expected: 1000, largest: 100_000 },
    cost: { expected: 0.5, largest: 50 },
  };
  expect(shortBudgets(amount, { requests: null, tokens: null, cost: null, ...budget }, share)).toEqual(short);
});
