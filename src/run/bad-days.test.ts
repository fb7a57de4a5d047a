import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import {
  type Answering,
  driveOptions,
  eventsOf,
  fakeTarget,
  findingsIn,
  aCellToRun,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import { judgeControl } from '../assemble/execute-plan.js';
import { makeTrial } from '../decide/trial/trial.js';
import { controlBody } from '../plan/request/request-body.js';
import { drive } from './drive.js';

const reset = { kind: 'connection_reset', message: 'the connection was reset' } as const;
const cut = { status: null, body: [], failure: reset } as const;
const refused = (status: number, message: string) => ({
  status,
  ms: 5,
  body: [JSON.stringify({ error: { message } })],
});
const overloaded = refused(503, 'The model is busy');
const idOf = (body: unknown): string => (body as { model: string }).model;
/** From 0 to 1, by number of the request. */
const luckOf = (count: number): number => ((count * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;

interface Setting {
  readonly models?: number;
  readonly cells?: number;
  readonly trials?: number;
  readonly concurrency?: number;
}

/** A run on one key, of trials as in a real run, whose answers take 100 ms. */
async function day(answer: Answering, setting: Setting = {}) {
  const { models = 30, cells = 20, trials = 3, concurrency = 16 } = setting;
  const clock = createVirtualClock();
  const began = clock.now();
  const { target, seen } = fakeTarget(
    aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency, retries: 3 } }),
    clock,
    (request, count) => answer({ ...request, at: request.at - began }, count),
  );
  const request = { max_tokens: 100, messages: [{ role: 'user', content: 'Say hello.' }] };
  const probe = { steps: [{ kind: 'ask', id: 'request', request, expect: {} }] } as const;
  const plannedCells = Array.from({ length: models }, (_, index) => aModel(`t/m${index}`)).flatMap((model) =>
    Array.from({ length: cells }, (_, cell) => aCellToRun(model, `c${cell}`, trials, { probe })),
  );
  const options = driveOptions(aPlan(plannedCells), [target], clock, {
    ...{ trial: makeTrial({ retries: () => 3 }), controlBody, judgeControl },
  });
  const events = await clock.runUntil(eventsOf(drive(options)));
  const findings = Object.entries(findingsIn(events));
  const verdicts = (keep: (key: string) => boolean = () => true) => [
    ...new Set(findings.filter(([key]) => keep(key)).map(([, { verdict }]) => verdict)),
  ];
  return { events, findings, verdicts, seen, seconds: (clock.now() - began) / 1000 };
}

const calm = await day(() => ({}));

describe('30 models on one key, 16 requests at a time', () => {
  test('lose little time, and no verdict, where 3.5 % of the requests fail', async () => {
    const { verdicts, seconds } = await day((_, count) => {
      const luck = luckOf(count);
      if (luck < 0.02) return refused(429, 'Too many requests');
      if (luck < 0.03) return overloaded;
      return luck < 0.035 ? cut : {};
    });
    expect(verdicts()).toEqual(['pass']);
    expect(calm.seconds / seconds).toBeGreaterThan(0.8);
  });

  test.each([
    ['from the beginning', 0],
    ['in the middle', 2000],
  ])('are not held up by one that answers nothing but 503 %s', async (_, from) => {
    const { verdicts, events, findings } = await day(({ body, at }) =>
      idOf(body) === 'm7' && at >= from ? overloaded : {},
    );
    const isDead = (key: string): boolean => key.endsWith('/m7');
    expect(verdicts((key) => !isDead(key))).toEqual(['pass']);
    expect(verdicts(isDead)).toContain('inconclusive');
    expect(verdicts(isDead)).not.toContain('fail');
    const open = findings.filter(([, { verdict }]) => verdict === 'inconclusive');
    expect(new Set(open.map(([, { status }]) => status))).toEqual(new Set([503]));
    expect(events.filter(({ type }) => type === 'left_alone')).toHaveLength(1);
  });

  test('are done before a dead one is asked again', async () => {
    const { events } = await day(({ body, at }) => (idOf(body) === 'm7' && at >= 2000 ? overloaded : {}));
    const left = events.findIndex(({ type }) => type === 'left_alone');
    const others = events.findLastIndex((event) => event.type === 'cell' && !event.cell.endsWith('/m7'));
    const asked = (event: (typeof events)[number]): boolean => event.type === 'exchange' && event.model === 't/m7';
    // What was in flight when it was left comes in.
    expect(events.slice(left, others).filter(asked).length).toBeLessThan(16);
    expect(events.slice(others).some(asked)).toBe(true);
  });

  test('that all go down for two minutes are all measured', async () => {
    const { verdicts, seconds } = await day(({ at }) => (at > 5000 && at < 125_000 ? overloaded : {}));
    expect(verdicts()).toEqual(['pass']);
    expect(seconds).toBeLessThan(200);
  });
});
