import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget, countedTrials } from '../../test/support/build.js';
import {
  type Answering,
  driveOptions,
  eventsOf,
  fakeTarget,
  findingsIn,
  plainTrial,
  aCellToRun,
  servedCompletion,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import { judgeControl } from '../assemble/execute-plan.js';
import type { Answer } from '../chat/exchange.js';
import type { TargetConfig } from '../config/config.js';
import type { PlannedCell } from '../plan/plan.js';
import { systemClock } from './clock.js';
import { drive } from './drive.js';
import { type DriveOptions } from './drive-options.js';
import type { RunEvent } from '../journal/event.js';

const model = aModel('t/m');
const other = aModel('t/n');
const isControl = (body: unknown): boolean => (body as { control?: boolean }).control === true;

async function run(
  cells: readonly PlannedCell[],
  answer: Answering = () => ({}),
  changes: Partial<DriveOptions> = {},
  limits: Partial<TargetConfig['limits']> = {},
) {
  const clock = createVirtualClock();
  const fake = fakeTarget(aTarget('t', { baseUrl: 'http://fake/v1', limits }), clock, answer);
  const started = clock.now();
  const events = await clock.runUntil(eventsOf(drive(driveOptions(aPlan(cells), [fake.target], clock, changes))));
  return { ...fake, events, findings: findingsIn(events), took: clock.now() - started };
}

const types = (events: readonly RunEvent[]): string[] => events.map(({ type }) => type);

describe('a run', () => {
  test('opens each model with a control, asks its cells, and ends', async () => {
    const { events, findings, seen } = await run([aCellToRun(model, 'a', 2), aCellToRun(other, 'a')]);
    expect(types(events)[0]).toBe('run_started');
    expect(types(events).at(-1)).toBe('run_finished');
    expect(seen.filter(({ body }) => isControl(body)).length).toBe(2);
    expect(seen.length).toBe(5);
    expect(events.at(-1)).toMatchObject({ requests: 5 });
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'pass', trials: { total: 2, passed: 2 } });
    expect(events.filter(({ type }) => type === 'model')).toMatchObject([{ reachable: true }, { reachable: true }]);
  });

  test('reports an exchange before its trial, and the trial before its cell', async () => {
    const { events } = await run([aCellToRun(model, 'a')]);
    expect(types(events)).toEqual(['run_started', 'exchange', 'model', 'exchange', 'trial', 'cell', 'run_finished']);
    expect(events[3]).toMatchObject({
      id: 'e000002',
      cell: 's/a@t/m',
      ask: { kind: 'trial', sample: 0 },
      purpose: 'probe',
      served: 'served-m',
    });
    const cell = events[5];
    expect(cell?.type === 'cell' && [...cell.exchanges]).toEqual(['e000002']);
  });

  test('sends nothing for cells whose needs cannot be met', async () => {
    const { findings, seen } = await run([aCellToRun(model, 'a', 1, { unmeetable: 'thinking is not defined' })]);
    expect(seen).toEqual([]);
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'blocked', detail: 'thinking is not defined', needed: 0 });
  });

  test('asks a cell that needs another only after that one has passed', async () => {
    const needs = ['s/first@t/m'];
    const cells = [aCellToRun(model, 'second', 1, { needs }), aCellToRun(model, 'first')];
    const good = await run(cells);
    expect(good.seen.map(({ body }) => (body as { cell?: string }).cell)).toEqual([
      undefined,
      's/first@t/m',
      's/second@t/m',
    ]);
    const bad = await run(cells, ({ body }) => (isControl(body) ? {} : { status: 400, body: ['{}'] }));
    expect(bad.seen.length).toBe(2);
    expect(bad.findings['s/second@t/m']).toMatchObject({
      verdict: 'blocked',
      detail: 's/first fails',
    });
  });

  test('asks a cell that needs another which passes only sometimes', async () => {
    const needs = ['s/first@t/m'];
    const cells = [aCellToRun(model, 'second', 1, { needs }), aCellToRun(model, 'first', 2)];
    const { seen, findings } = await run(cells, (_, count) => (count === 2 ? { status: 400, body: ['{}'] } : {}));
    expect(findings).toMatchObject({ 's/first@t/m': { verdict: 'flaky' }, 's/second@t/m': { verdict: 'pass' } });
    expect(seen).toHaveLength(4);
  });

  test('does not hang on cells that need each other', async () => {
    const cells = [
      aCellToRun(model, 'a', 1, { needs: ['s/b@t/m'] }),
      aCellToRun(model, 'b', 1, { needs: ['s/a@t/m'] }),
    ];
    expect((await run(cells)).findings).toMatchObject({
      's/a@t/m': { verdict: 'blocked' },
      's/b@t/m': { verdict: 'blocked' },
    });
  });
});

describe('the opening control', () => {
  test.each([401, 402, 403, 404, 429, 500, 503, 302])(
    'that is answered with %i ends the model without asking its cells',
    async (status) => {
      const { findings, seen, events } = await run([aCellToRun(model, 'a'), aCellToRun(model, 'b')], () => ({
        status,
        body: ['{}'],
      }));
      expect(seen.every(({ body }) => isControl(body))).toBe(true);
      expect(findings['s/a@t/m']).toMatchObject({ verdict: 'inconclusive', class: 'http_error', status });
      expect(events.find(({ type }) => type === 'model')).toMatchObject({ reachable: false });
      const cell = events.find((event) => event.type === 'cell');
      expect(cell?.exchanges).toContain('e000001');
    },
  );

  test.each([400, 409, 422])('that is answered with %i says nothing about the cells', async (status) => {
    const { findings } = await run([aCellToRun(model, 'a')], ({ body }) =>
      isControl(body) ? { status, body: ['{}'] } : {},
    );
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'pass' });
  });

  const page = '<!doctype html><html><head><title>Sign in</title></head></html>';

  test.each<readonly [string, Partial<Answer>]>([
    ['a 200 with a page', { body: [page] }],
    ['a 200 without choices', { body: ['{"ok":true}'] }],
    ['an empty 200', { body: [''] }],
    ['a 204', { status: 204, body: [] }],
    ['a 206 with half a page', { status: 206, body: [page.slice(0, 40)] }],
    ['an error object in a 200', { body: ['{"error":{"message":"no such route"}}'] }],
    ['a stream of nothing', { headers: { 'content-type': 'text/event-stream' }, body: ['\n\n'] }],
    ['a list of models', { body: ['{"object":"list","data":[]}'] }],
    ['a 404 with a page', { status: 404, body: [page] }],
    ['a 405 with a page', { status: 405, body: [page] }],
    ['a 400 with a page', { status: 400, body: [page] }],
    ['a 403 with a page', { status: 403, body: [page] }],
    ['a 400 for an unknown model', { status: 400, body: ['{"message":"The provided model identifier is invalid."}'] }],
    ['a 422 for an unknown model', { status: 422, body: ['{"error":{"code":"model_not_found","message":"?"}}'] }],
  ])('that is answered with %s, like everything else, ends the model cheaply', async (_, answer) => {
    const cells = [model, other].flatMap((one) =>
      Array.from({ length: 100 }, (_unused, index) => aCellToRun(one, `c${index}`)),
    );
    const { seen, events, findings, took } = await run(cells, () => answer, { judgeControl });
    expect(seen.length / 2).toBeLessThan(15);
    expect(seen.every(({ body }) => isControl(body))).toBe(true);
    expect(took).toBeLessThan(10_000);
    const models = events.filter((event) => event.type === 'model');
    expect(models).toMatchObject([{ reachable: false }, { reachable: false }]);
    expect(new Set(Object.values(findings).map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  test.each<readonly [string, Partial<Answer>]>([
    ['an empty content', { body: [servedCompletion('')] }],
    ['a page only once', { body: [page] }],
    ['a 400 with JSON', { status: 400, body: ['{"error":{"message":"max_tokens is too small"}}'] }],
  ])('that is answered with %s lets the cells be asked', async (_, answer) => {
    const { findings } = await run([aCellToRun(model, 'a')], (_seen, count) => (count === 1 ? answer : {}), {
      judgeControl,
    });
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'pass' });
  });

  test('closes hundreds of cells at once when it fails', async () => {
    const cells = Array.from({ length: 500 }, (_, index) => aCellToRun(model, `c${index}`));
    const { events, seen } = await run(cells, () => ({ status: 401, body: ['{}'] }));
    expect(seen).toHaveLength(1);
    expect(types(events).filter((type) => type === 'cell')).toHaveLength(500);
    expect(types(events).at(-1)).toBe('run_finished');
  });

  test('is retried after a fault, with growing pauses', async () => {
    const { findings, seen } = await run([aCellToRun(model, 'a')], (_, count) =>
      count <= 2 ? { status: null, body: [], failure: { kind: 'connection_reset', message: 'reset' } } : {},
    );
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'pass' });
    const [first, second, third] = seen.map(({ at }) => at) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(600);
    expect(third - second).toBeGreaterThanOrEqual(1100);
  });
});

describe('the order', () => {
  const cellsOf = (seen: readonly { readonly body: unknown }[]): string[] => [
    ...new Set(seen.map(({ body }) => (body as { cell?: string }).cell ?? 'control')),
  ];

  test('begins with the longest row of requests, then with what others wait for', async () => {
    const find = { axis: 'max_tokens', from: 16, to: 16_384, tolerance: 0.125 };
    const plannedCells = [
      ...['a', 'b'].map((name) => aCellToRun(model, name)),
      aCellToRun(model, 'first'),
      aCellToRun(model, 'then', 1, { needs: ['s/first@t/m'] }),
      aCellToRun(model, 'threshold', 1, { course: 'find', trials: countedTrials(2), probe: { find } }),
    ];
    const { seen } = await run(plannedCells, () => ({}), {}, { concurrency: 1 });
    expect(cellsOf(seen).slice(0, 3)).toEqual(['control', 's/threshold@t/m', 's/first@t/m']);
  });

  test('opens every model first, and asks one with little to ask while another has far more', async () => {
    const cells = Array.from({ length: 10 }, (_, index) => aCellToRun(model, `c${index}`, 40));
    const slow = ({ body }: { readonly body: unknown }) => ({
      ms: (body as { model: string }).model === 'm' ? 1000 : 100,
    });
    const { seen, took } = await run([...cells, aCellToRun(other, 'a', 5)], slow, {}, { concurrency: 4 });
    expect(seen.slice(0, 2).every(({ body }) => isControl(body))).toBe(true);
    const few = seen.filter(({ body }) => (body as { model: string }).model === 'n');
    expect(few).toHaveLength(6);
    expect(few.at(-1)!.at - seen[0]!.at).toBeLessThan(took / 2);
  });
});

describe('limits', () => {
  test('of concurrency hold, per target and per model', async () => {
    const many = [model, other].flatMap((one) => [aCellToRun(one, 'a', 20), aCellToRun(one, 'b', 20)]);
    expect((await run(many, () => ({}), {}, { concurrency: 3 })).most.inFlight).toBe(3);
    const narrow = aModel('t/m', { concurrency: 1 });
    expect((await run([aCellToRun(narrow, 'a', 10), aCellToRun(narrow, 'b', 10)])).most.inFlight).toBe(1);
  });

  test('per minute are never exceeded, and cost no more time than necessary', async () => {
    const cells = Array.from({ length: 10 }, (_, index) => aCellToRun(model, `c${index}`, 30));
    const { seen, took } = await run(cells, () => ({}), {}, { requestsPerMinute: 50, concurrency: 8 });
    expect(seen.length).toBe(301);
    for (const { at } of seen) {
      expect(seen.filter((one) => one.at >= at && one.at < at + 60_000).length).toBeLessThanOrEqual(50);
    }
    const bound = Math.floor(300 / 50) * 60_000;
    expect(took).toBeGreaterThanOrEqual(bound);
    expect(took).toBeLessThanOrEqual(bound * 1.05);
  });

  test('per minute hold nothing up that they allow, also on the clock of this machine', async () => {
    const limits = { requestsPerMinute: 600, tokensPerMinute: 1_000_000 };
    const { target } = fakeTarget(aTarget('t', { baseUrl: 'x', limits }), systemClock, () => ({ ms: 1 }));
    const events = await eventsOf(drive(driveOptions(aPlan([aCellToRun(model, 'a', 20)]), [target], systemClock)));
    expect(findingsIn(events)['s/a@t/m']).toMatchObject({ verdict: 'pass', trials: { total: 20 } });
    expect(events.filter(({ type }) => type === 'waiting')).toEqual([]);
  });

  test('of tokens count the real usage once it is known', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 900 };
    const { seen, took } = await run(
      [aCellToRun(model, 'a', 599)],
      () => ({ body: [servedCompletion('x', usage)] }),
      {},
      { tokensPerMinute: 100_000, concurrency: 2 },
    );
    for (const { at } of seen) {
      const inMinute = seen.filter((one) => one.at >= at && one.at < at + 60_000);
      expect(inMinute.length * 1000).toBeLessThanOrEqual(100_000);
    }
    expect(took).toBeLessThanOrEqual(1.05 * 6 * 60_000);
  });

  test('of tokens let a request that is larger than the limit go alone', async () => {
    const noUsage = servedCompletion('ok', null);
    const { seen } = await run([aCellToRun(model, 'a', 3)], () => ({ body: [noUsage] }), {}, { tokensPerMinute: 500 });
    const times = seen.map(({ at }) => at);
    expect(times.length).toBe(4);
    for (let index = 1; index < 4; index += 1) expect(times[index]! - times[index - 1]!).toBeGreaterThanOrEqual(60_000);
  });

  test('of a shard are its part of the whole', async () => {
    const shard = { shard: { index: 1, of: 4 } };
    const { run: whole } = driveOptions(aPlan([]), [], createVirtualClock());
    const { seen, most } = await run(
      [aCellToRun(model, 'a', 15), aCellToRun(other, 'a', 15)],
      () => ({}),
      { run: { ...whole, ...shard }, budget: { requests: 100, tokens: null, cost: null } },
      { requestsPerMinute: 40, concurrency: 8 },
    );
    expect(most.inFlight).toBe(2);
    expect(seen.length).toBe(25);
    for (const { at } of seen) {
      expect(seen.filter((one) => one.at >= at && one.at < at + 60_000).length).toBeLessThanOrEqual(10);
    }
  });

  test("of a shard also divide a model's concurrency and the tokens per minute", async () => {
    const { run: whole } = driveOptions(aPlan([]), [], createVirtualClock());
    const narrow = aModel('t/m', { concurrency: 98 });
    const { seen, most } = await run(
      [aCellToRun(narrow, 'a', 19)],
      () => ({ body: [servedCompletion('ok', { prompt_tokens: 500, completion_tokens: 500 })], ms: 1000 }),
      { run: { ...whole, shard: { index: 2, of: 49 } } },
      { concurrency: 980, tokensPerMinute: 49 * 10_000 },
    );
    expect(most.inFlight).toBe(2);
    for (const { at } of seen) {
      expect(seen.filter((one) => one.at >= at && one.at < at + 60_000).length).toBeLessThanOrEqual(10);
    }
  });

  test('a Retry-After holds back its trial alone', async () => {
    const { seen, events } = await run(
      [aCellToRun(model, 'a', 6)],
      (_, count) => (count === 3 ? { status: 429, headers: { 'retry-after': '20' }, body: ['{}'] } : {}),
      { trial: plainTrial(3) },
      { concurrency: 2 },
    );
    const [, , refused, next] = seen as { at: number }[];
    expect(next!.at - refused!.at).toBeLessThan(1000);
    expect(seen.at(-1)!.at - refused!.at).toBeGreaterThanOrEqual(20_000);
    expect(seen.length).toBe(8);
    expect(events.some((event) => event.type === 'waiting' && event.seconds >= 19)).toBe(true);
  });

  test.each([429, 500, 502, 503])('a %i that asks for a pause of hours stops the model instead', async (status) => {
    let ofModel = 0;
    const { findings, took, events, seen } = await run(
      [aCellToRun(model, 'a', 4), aCellToRun(model, 'b', 4), aCellToRun(other, 'a', 9)],
      ({ body }) => {
        if ((body as { model: string }).model !== 'm') return {};
        ofModel += 1;
        return ofModel === 2 ? { status, headers: { 'retry-after': '3000' }, body: ['{}'] } : {};
      },
      { trial: plainTrial(3) },
      { concurrency: 1 },
    );
    expect(took).toBeLessThan(60_000);
    expect(findings['s/b@t/m']).toMatchObject({ verdict: 'not_run', detail: null });
    const paused = { kind: 'long_pause', answered_by: 't/m', seconds: 3000 };
    expect(events).toContainEqual(expect.objectContaining({ type: 'cell', cell: 's/b@t/m', stop: paused }));
    expect(findings['s/a@t/n']).toMatchObject({ verdict: 'pass', trials: { total: 9 } });
    expect(seen.length).toBe(2 + 1 + 9);
    expect(events.at(-1)).toMatchObject({ stopped: [{ target: 't', model: 't/m', ...paused }] });
  });

  test.each([
    [235, false],
    [301, true],
  ])('a pause of %i s, with up to a quarter more, is waited for up to five minutes', async (pause, isStopped) => {
    const { events } = await run(
      [aCellToRun(model, 'a', 4)],
      (_, count) => (count === 3 ? { status: 503, headers: { 'retry-after': `${pause}` }, body: ['{}'] } : {}),
      { trial: plainTrial(3) },
    );
    expect('stopped' in events.at(-1)!).toBe(isStopped);
  });

  test('a refusal inside a 200 is not repeated before the pause it asks for is over', async () => {
    const refusal = { error: { code: 429, message: 'slow down', details: [{ retryDelay: '20s' }] } };
    const { seen } = await run(
      [aCellToRun(model, 'a', 1)],
      (_, count) => (count === 2 ? { status: 200, body: [JSON.stringify(refusal)] } : {}),
      {
        trial: () =>
          function* ({ kind, sample }) {
            const send = { purpose: 'probe', step: 'request', body: { model: 'm', kind, sample } } as const;
            yield { ...send, attempt: 0 };
            yield { ...send, attempt: 1 };
            return { passed: true, fault: false } as never;
          },
      },
      { concurrency: 1 },
    );
    expect(seen[2]!.at - seen[1]!.at).toBeGreaterThanOrEqual(20_000);
  });
});

describe('a budget', () => {
  test('of requests is spent to the last one and never exceeded, and unasked cells say so', async () => {
    const budget = { requests: 5, tokens: null, cost: null };
    const { seen, findings, events } = await run([aCellToRun(model, 'a', 3), aCellToRun(model, 'b', 3)], () => ({}), {
      budget,
    });
    expect(seen.length).toBe(5);
    const used = { ...{ target: null, model: null }, kind: 'budget', unit: 'requests', limit: 5, shard_part: false };
    expect(events.filter(({ type }) => type === 'stopped')).toEqual([{ type: 'stopped', stop: used }]);
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'pass', trials: { total: 3 }, needed: 0 });
    expect(findings['s/b@t/m']).toMatchObject({ trials: { total: 1 }, needed: 2 });
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', stopped: [used] });
  });

  test('that ends within a trial hides no failure of another trial', async () => {
    const statuses: Record<number, number> = { 0: 503, 1: 400 };
    const { findings } = await run(
      [aCellToRun(model, 'a', 3)],
      ({ body }) => ({ status: isControl(body) ? 200 : (statuses[(body as { sample: number }).sample] ?? 200) }),
      { trial: plainTrial(1), budget: { requests: 4, tokens: null, cost: null } },
    );
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'flaky', trials: { total: 2, passed: 1 }, needed: 1 });
  });

  test('of nothing runs nothing', async () => {
    const { seen, findings, events } = await run([aCellToRun(model, 'a', 3)], () => ({}), {
      budget: { requests: 0, tokens: null, cost: null },
    });
    expect(seen).toEqual([]);
    expect(findings['s/a@t/m']).toMatchObject({ verdict: 'not_run', detail: null });
    expect(events.find(({ type }) => type === 'cell')).toMatchObject({ stop: { kind: 'budget', limit: 0 } });
  });

  test('of tokens includes requests in flight', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 900 };
    const { seen } = await run([aCellToRun(model, 'a', 50)], () => ({ body: [servedCompletion('x', usage)] }), {
      budget: { requests: null, tokens: 20_000, cost: null },
    });
    expect(seen.length * 1000).toBeLessThanOrEqual(20_000);
    expect(seen.length).toBeGreaterThanOrEqual(18);
  });

  test.each([
    ['says nothing', undefined],
    ['says zero', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['reports negative usage', { prompt_tokens: -500, completion_tokens: -500 }],
    ['reports impossibly high usage', { prompt_tokens: Number.MAX_VALUE, completion_tokens: 1e300 }],
    ['reports usage in words', { prompt_tokens: 'few', completion_tokens: {} }],
    ['reports only output tokens', { completion_tokens: 900 }],
  ])('of tokens is kept with a service that %s', async (_, usage) => {
    const choices = [{ message: { content: 'hello' }, finish_reason: 'stop' }];
    const { seen, events } = await run(
      [aCellToRun(model, 'a', 50)],
      () => ({ body: [JSON.stringify({ choices, ...(usage && { usage }) })] }),
      { budget: { requests: null, tokens: 10_000, cost: null } },
    );
    // 1,024 tokens are assumed for an output without a cap.
    expect(seen.length).toBeGreaterThanOrEqual(8);
    expect(seen.length).toBeLessThanOrEqual(11);
    expect(events.at(-1)).toMatchObject({ stopped: [{ kind: 'budget', unit: 'tokens', limit: 10_000 }] });
  });

  test('of cost uses the prices of the model', async () => {
    const priced = aModel('t/m', { price: { prompt: 1, completion: 10 } });
    const usage = { prompt_tokens: 1000, completion_tokens: 1000 };
    const { seen } = await run([aCellToRun(priced, 'a', 50)], () => ({ body: [servedCompletion('x', usage)] }), {
      budget: { requests: null, tokens: null, cost: 0.11 },
    });
    expect(seen.length).toBeLessThanOrEqual(10);
    expect(seen.length).toBeGreaterThanOrEqual(8);
  });
});
