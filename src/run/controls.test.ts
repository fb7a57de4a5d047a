import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import {
  type Answering,
  driveOptions,
  eventsOf,
  fakeTarget,
  findingsIn,
  type ReceivedRequest,
  aCellToRun,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import { judgeControl } from '../assemble/execute-plan.js';
import type { TargetConfig } from '../config/config.js';
import { makeTrial } from '../decide/trial/trial.js';
import type { JournalLine } from '../journal/event.js';
import type { Json, JsonObject } from '../json/json.js';
import { controlBody } from '../plan/request/request-body.js';
import { drive, replay } from './drive.js';
import type { DriveOptions } from './drive-options.js';

const internalError = { status: 500, body: ['{"error":{"message":"internal error"}}'] };
const textOf = (body: Json): string => JSON.stringify((body as JsonObject)['messages']);
const isBroken = ({ body }: ReceivedRequest): boolean => textOf(body).includes('broken');
const isControl = ({ body }: ReceivedRequest): boolean => !textOf(body).includes(' of ');
const modelOf = ({ body }: ReceivedRequest): Json | undefined => (body as JsonObject)['model'];

interface Setting {
  readonly models?: number;
  readonly cells?: number;
  readonly trials?: number;
  /** Numbers of the cells whose requests are answered with 500. */
  readonly broken?: readonly number[];
  readonly answer?: Answering;
  readonly limits?: Partial<TargetConfig['limits']>;
  readonly changes?: Partial<DriveOptions>;
}

/** A run whose trials are those of a real run; answers take 50 to 350 ms. */
async function run(setting: Setting = {}) {
  const { models = 1, cells = 10, trials = 1, broken = [3], answer = () => ({}), limits = {}, changes = {} } = setting;
  const clock = createVirtualClock();
  const config = aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency: 4, retries: 3, ...limits } });
  const ended: { readonly request: ReceivedRequest; readonly sentBefore: number }[] = [];
  const fake = fakeTarget(config, clock, (request, count) => ({
    ms: 50 + ((count * 7919) % 300),
    ...(isBroken(request) ? internalError : {}),
    ...answer(request, count),
  }));
  const send: typeof fake.target.send = async (...args) => {
    const exchange = await fake.target.send(...args);
    const request = fake.seen.find(({ body }) => body === args[0]);
    if (request !== undefined) ended.push({ request, sentBefore: fake.seen.length });
    return exchange;
  };
  const plannedCells = Array.from({ length: models }, (_, index) => aModel(`t/m${index}`)).flatMap((model) =>
    Array.from({ length: cells }, (_, cell) => {
      const content = `${broken.includes(cell) ? 'broken' : 'sound'} ${cell} of ${model.id} {{trial}}`;
      const request = { messages: [{ role: 'user', content }] };
      const samples = Array.from({ length: trials }, (_, trial) => ({ trial }));
      const probe = { samples, steps: [{ kind: 'ask', id: 'request', request, expect: {} }] } as const;
      return aCellToRun(model, `c${cell}`, trials, { probe });
    }),
  );
  const plan = aPlan(plannedCells);
  const lines: JournalLine[] = [];
  const journal = {
    append: (line: JournalLine) => Promise.resolve(void lines.push(line)),
    close: () => Promise.resolve(),
  };
  const options = driveOptions(plan, [{ ...fake.target, send }], clock, {
    ...{ trial: makeTrial({ retries: () => 3 }), controlBody, judgeControl, journal },
    ...changes,
  });
  const events = await clock.runUntil(eventsOf(drive(options)));
  return { ...fake, events, findings: findingsIn(events), ended, lines, options };
}

/** How many other requests were sent between each repeated 5xx and its control. */
function sentBetween({ seen, ended }: Awaited<ReturnType<typeof run>>): number[] {
  const failed = new Map<string, number>();
  const between: number[] = [];
  for (const { request, sentBefore } of ended) {
    if (!isBroken(request)) continue;
    const text = textOf(request.body);
    failed.set(text, (failed.get(text) ?? 0) + 1);
    if (failed.get(text) !== 2) continue;
    const after = seen.slice(sentBefore);
    const control = after.findIndex((one) => isControl(one) && modelOf(one) === modelOf(request));
    between.push(control < 0 ? Infinity : after.slice(0, control).filter((one) => !isControl(one)).length);
  }
  return between;
}

describe('the control after a repeated 5xx', () => {
  test.each<readonly [string, Setting, number]>([
    ['one request at a time', { models: 3, cells: 12, limits: { concurrency: 1 } }, 3],
    ['a long queue', { models: 6, cells: 60, limits: { concurrency: 8 } }, 6],
    ['batches of trials', { models: 2, cells: 12, trials: 20, limits: { concurrency: 8 } }, 2],
    [
      'many controls at once',
      { models: 4, cells: 40, broken: [1, 2, 3, 4, 5, 6, 7, 8], limits: { concurrency: 16 } },
      32,
    ],
    ['a limit per minute', { models: 3, cells: 20, limits: { concurrency: 4, requestsPerMinute: 30 } }, 3],
    ['a limit of tokens', { models: 3, cells: 20, limits: { concurrency: 4, tokensPerMinute: 6000 } }, 3],
  ])('is sent before anything else of the target: %s', async (_, setting, count) => {
    const result = await run(setting);
    const between = sentBetween(result);
    expect(between.length).toBeGreaterThanOrEqual(count);
    expect(between.filter((sent) => sent > 0)).toEqual([]);
    const failed = Object.entries(result.findings).filter(([, { verdict }]) => verdict === 'fail');
    expect(failed).toHaveLength((setting.models ?? 1) * (setting.broken ?? [3]).length);
    expect(result.most.inFlight).toBeLessThanOrEqual(setting.limits?.concurrency ?? 4);
  });

  test('that is refused for load makes no finding', async () => {
    let failed = 0;
    const { findings } = await run({
      answer: (request) => {
        if (isBroken(request)) failed += 1;
        return isControl(request) && failed > 0 ? { status: 503, body: [''] } : {};
      },
    });
    expect(findings['s/c3@t/m0']).toMatchObject({ verdict: 'inconclusive' });
  });

  test.each([
    ['is interrupted', 'interrupted'],
    ['is not paid for', 'quota'],
  ])('holds nothing back when the run %s meanwhile', async (_, how) => {
    const stop = new AbortController();
    let failed = 0;
    const { events } = await run({
      models: 2,
      limits: { concurrency: 2 },
      changes: { signal: stop.signal },
      answer: (request) => {
        if (isBroken(request)) failed += 1;
        if (failed < 2) return {};
        if (how === 'interrupted') stop.abort();
        return how === 'quota' ? { status: 402, body: ['{"error":{"message":"Insufficient credits"}}'] } : {};
      },
    });
    expect(events.some((event) => event.type === 'stopped' && event.stop.kind === how)).toBe(true);
  });

  test('ends with the budget', async () => {
    const { seen, findings } = await run({ changes: { budget: { requests: 6, tokens: null, cost: null } } });
    expect(seen).toHaveLength(6);
    expect(Object.values(findings).map(({ verdict }) => verdict)).not.toContain('fail');
  });
});

describe('an outage in which a run begins', () => {
  const down: (seconds: number) => Answering = (seconds) => {
    let began: number | null = null;
    return ({ at }) => ((began ??= at) + 1000 * seconds > at ? internalError : {});
  };

  test.each([1, 4, 8])('of %i s makes no model unreachable', async (seconds) => {
    const { findings } = await run({ models: 3, broken: [], answer: down(seconds) });
    expect(new Set(Object.values(findings).map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
  });

  test('that does not end costs five requests a model', async () => {
    const { seen, findings } = await run({ models: 3, answer: down(Infinity) });
    expect(seen).toHaveLength(15);
    expect(new Set(Object.values(findings).map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  test('is told from a model that is down alone, which holds nothing up', async () => {
    const { seen } = await run({ models: 3, answer: (request) => (modelOf(request) === 'm0' ? internalError : {}) });
    const asked = seen.filter((one) => modelOf(one) === 'm0');
    expect(asked).toHaveLength(5);
    expect((asked.at(-1)?.at ?? 0) - (asked[0]?.at ?? 0)).toBeLessThan(12_000);
  });

  test('is over for a repeated judgement where it was over for the run', async () => {
    const result = await run({ models: 2, broken: [], answer: down(9) });
    const targets = [aTarget('t', { baseUrl: 'http://fake/v1' })];
    expect(findingsIn(await eventsOf(replay(result.lines, { ...result.options, targets })))).toEqual(result.findings);
  });
});
