import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aConfig, aModel, aProbe, aSettingsAxis, aSuite, aTarget } from '../../test/support/build.js';
import type { Baseline } from '../baseline/entries.js';
import type { Config } from '../config/config.js';
import type { Probe, Step } from '../suite/probe.js';
import { estimate } from './estimate.js';
import { makePlan } from '../plan/make-plan.js';
import type { PlanOptions } from '../plan/plan-options.js';
import { shard } from './shard.js';

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
    expect(estimated({}, { trials: 3 }).cells[0]?.requests).toEqual({ expected: 3, largest: 3 });
    expect(estimated({ trials: { kind: 'count', count: 5 } }).cells[0]?.requests).toEqual({ expected: 5, largest: 65 });
    const run: Step = { kind: 'run', id: 'tool', result: {} };
    expect(estimated({ steps: [ask('call'), run, ask('summary')] }, { trials: 2 }).cells[0]?.requests).toEqual({
      expected: 4,
      largest: 4,
    });
    const retry = { on: ['not_json' as const], max: 2, temperature: 0 };
    expect(estimated({ retry }, { trials: 2 }).cells[0]?.requests).toEqual({ expected: 2, largest: 6 });
  });

  test('expects ten straight passes, or two straight failures, of the sequential test', () => {
    const decided: PlanOptions = { profile: 'certify' };
    const known = (verdict: 'fail' | 'flaky') =>
      covering([
        {
          key: 's/p@t/m',
          verdict,
          class: null,
          reason: null,
          status: null,
          passed: 1,
          total: 2,
          date: '',
          note: null,
          link: null,
          provisional: false,
          threshold: null,
        },
      ]);
    const expected = (baseline: Baseline | null) => estimated({}, decided, one(), baseline).cells[0]?.requests;
    expect(expected(null)).toEqual({ expected: 10, largest: 100 });
    expect(expected(known('fail'))).toEqual({ expected: 2, largest: 100 });
    expect(expected(known('flaky'))).toEqual({ expected: 20, largest: 100 });
  });

  test('doubles and bisects for find, and rechecks a stored threshold at two values', () => {
    const find = { axis: 'max_tokens', from: 16, to: 16384, tolerance: 0.125 };
    expect(estimated({ find }, { trials: 1 }).cells[0]?.requests).toEqual({ expected: 9, largest: 14 });
    const baseline = { ...covering(), thresholds: [{ key: 's/p@t/m', value: 64, date: '', note: null, link: null }] };
    expect(estimated({ find }, { trials: 1 }, one(), baseline).cells[0]?.requests.expected).toBe(2);
  });

  test('asks seven echoes of a keyword of which nothing is known, and three of a composite document', () => {
    const enforce = { keyword: 'enum', schema: { type: 'object' }, valid: {}, invalid: {} };
    expect(estimated({ enforce }, { profile: 'smoke' }).cells[0]?.requests).toEqual({ expected: 3, largest: 4 });
    expect(estimated({ enforce }).cells[0]?.requests).toEqual({ expected: 9, largest: 152 });
    const composite = { ...enforce, keyword: 'composite' };
    expect(estimated({ enforce: composite }).cells[0]?.requests.expected).toBe(5);
  });

  test('counts a token for four bytes of prompt, and a usual answer or the lower cap; at most the cap or 1024 tokens', () => {
    const prompt = Math.ceil(JSON.stringify({ messages: [] }).length / 4);
    expect(estimated({}, { trials: 2 }).cells[0]?.tokens).toEqual({
      expected: 2 * (prompt + 100),
      largest: 2 * (prompt + 1024),
    });
    const capped = Math.ceil(JSON.stringify({ messages: [], max_tokens: 10 }).length / 4);
    expect(estimated({ steps: [ask('request', { max_tokens: 10 })] }, { trials: 1 }).cells[0]?.tokens.expected).toBe(
      capped + 10,
    );
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
    expect(priced.cost?.expected).toBeCloseTo((100 + 100) * 2e-6, 9);
  });

  test('gives the time that the limits impose', () => {
    const seconds = (trials: number, limits = {}, more = {}) =>
      estimated({}, { trials }, one(limits, more)).seconds.expected;
    expect(seconds(11, { concurrency: 4 })).toBe(3);
    expect(seconds(11, { concurrency: 4 }, { concurrency: 1 })).toBe(12);
    expect(seconds(59, { concurrency: 100, requestsPerMinute: 60 })).toBe(1);
    expect(seconds(60, { concurrency: 100, requestsPerMinute: 60 })).toBe(60);
    expect(seconds(100, { concurrency: 100, tokensPerMinute: 5_000 })).toBe(120);
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

describe('shard', () => {
  const models = (count: number) => Array.from({ length: count }, (_, index) => aModel(`t/m${index}`));
  const planOf = (count: number) => {
    const config = aConfig([aTarget('t', { baseUrl: 'simulator', models: models(count) })]);
    const probe = aProbe('s/q', {
      steps: [ask()],
      needs: [{ probe: 's/p', place: { file: '', line: 1, column: 1 } }],
    });
    return makePlan({ config, suites: [aSuite('s', [aProbe('s/p', { steps: [ask()] }), probe])], baseline: null }).plan;
  };

  test('divides the plan: each cell once, each model whole in one part, and the digest of the whole plan', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 8 }), (count, of) => {
        const plan = planOf(count);
        const parts = Array.from({ length: of }, (_, index) => shard(plan, index + 1, of));
        expect(parts.flatMap(({ tickets }) => tickets.map(({ cell }) => cell.key)).sort()).toEqual(
          plan.tickets.map(({ cell }) => cell.key).sort(),
        );
        const homes = parts.map(({ tickets }) => new Set(tickets.map(({ cell }) => cell.model.key)));
        expect(homes.reduce((sum, { size }) => sum + size, 0)).toBe(count);
        const sizes = homes.map(({ size }) => size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        for (const part of parts) {
          expect([part.digest, part.plannedCells]).toEqual([plan.digest, plan.plannedCells]);
          const keys = new Set(part.tickets.map(({ cell }) => cell.key));
          expect(part.tickets.every(({ cell }) => cell.needs.every((need) => keys.has(need)))).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    [0, 2],
    [3, 2],
    [1, 0],
    [1.5, 2],
  ])('refuses %d/%d', (index, of) => {
    expect(() => shard(planOf(1), index, of)).toThrow(RangeError);
  });
});
