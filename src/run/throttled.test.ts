import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import {
  type Answering,
  driveOptions,
  eventsOf,
  fakeTarget,
  findingsIn,
  judgedByStatus,
  plainTrial,
  aCellToRun,
} from '../../test/support/fake-run.js';
import { createGate, refusals, type RefusalName, type Throttle } from '../../test/support/throttling.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { Trial } from '../decide/course.js';
import type { RunTarget } from './target-state.js';
import { drive } from './drive.js';

interface Setting {
  readonly cells?: number;
  readonly trials?: number;
  readonly models?: number;
  readonly latency?: number;
  readonly concurrency?: number;
  readonly requestsPerMinute?: number | null;
}

/** A run of 481 requests (by default) through a gate that throttles. */
async function throttled(throttle: Throttle, how: RefusalName, setting: Setting = {}) {
  const { cells = 120, trials = 4, models = 1, latency = 60, concurrency = 8, requestsPerMinute = null } = setting;
  const clock = createVirtualClock();
  const gate = createGate(throttle);
  const { target } = fakeTarget(
    aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency, requestsPerMinute, retries: 3 } }),
    clock,
    (_, count) => ({ ms: latency * (0.5 + ((count * 7919) % 100) / 100) }),
  );
  const refusal = refusals[how];
  const gated: RunTarget = {
    ...target,
    async send(body, extra, signal) {
      const at = clock.now();
      if (gate.enter(at)) {
        const exchange = await target.send(body, extra, signal);
        gate.leave();
        return exchange;
      }
      await clock.sleep(5, signal);
      const started_at = new Date(at).toISOString();
      return {
        request: { url: 'http://fake/v1', headers: {}, body },
        answer: { status: refusal.status, headers: refusal.headers, body: [refusal.text], failure: null },
        timing: { started_at, headers_ms: 5, total_ms: 5 },
      };
    },
  };
  const plannedCells = Array.from({ length: models }, (_, model) => aModel(`t/m${model}`)).flatMap((model) =>
    Array.from({ length: cells / models }, (_, cell) => aCellToRun(model, `c${cell}`, trials)),
  );
  const started = clock.now();
  const options = driveOptions(aPlan(plannedCells), [gated], clock, { trial: plainTrial(3) });
  const events = await clock.runUntil(eventsOf(drive(options)));
  const verdicts = Object.values(findingsIn(events)).map(({ verdict }) => verdict);
  const { let: answered, refused } = gate.counts;
  return {
    events,
    refused,
    requests: answered + refused,
    share: refused / (answered + refused),
    failed: verdicts.filter((verdict) => verdict === 'fail' || verdict === 'flaky').length,
    unmeasured: verdicts.filter((verdict) => verdict !== 'pass').length,
    seconds: (clock.now() - started) / 1000,
  };
}

const gates: readonly (readonly [string, Throttle, Setting, number])[] = [
  ['4 at once', { concurrency: 4 }, {}, (481 * 0.06) / 4],
  ['3 at once', { concurrency: 3 }, {}, (481 * 0.06) / 3],
  ['1 at once', { concurrency: 1 }, {}, 481 * 0.06],
  ['20 a second', { perSecond: 20 }, {}, 23],
  ['20 a second without a burst', { perSecond: 20, burst: 1 }, {}, 24],
  ['4 a second', { perSecond: 4 }, {}, 120],
  ['4 at once and 20 a second', { concurrency: 4, perSecond: 20 }, {}, 24],
  ['120 a minute', { perMinute: 120 }, {}, 180],
  ['60 a minute', { perMinute: 60 }, {}, 420],
  ['4 at once, six models', { concurrency: 4 }, { models: 6 }, 8],
  ['20 a second, six models', { perSecond: 20 }, { models: 6 }, 24],
  ['2 at once, slow answers, 16 allowed', { concurrency: 2 }, { concurrency: 16, latency: 1000 }, 240],
  ['10 a second, 32 allowed', { perSecond: 10 }, { concurrency: 32, latency: 500 }, 48],
];

describe('a throttled run', () => {
  const names = Object.keys(refusals) as RefusalName[];
  const rows = gates.map((row, index) => [...row, names.filter((_, name) => (name + index) % 3 === 0)] as const);

  test.each(rows)('through %s slows down, measures everything, and uses most of what is allowed', async (...row) => {
    const [, throttle, setting, least, hows] = row;
    for (const how of hows) {
      const { share, failed, unmeasured, seconds } = await throttled(throttle, how, setting);
      expect({ how, failed, unmeasured }).toEqual({ how, failed: 0, unmeasured: 0 });
      // What is allowed in a minute is used up at once, and found out anew when the minute is over.
      expect(share, how).toBeLessThan(throttle.perMinute === undefined ? 0.2 : 0.75);
      expect(share, how).toBeGreaterThan(0);
      expect(seconds, how).toBeLessThan(2.1 * least + 3);
    }
  });

  test('is not slowed where nothing is refused', async () => {
    const { seconds, share } = await throttled({ concurrency: 8 }, 'a 503 without a body');
    expect(share).toBe(0);
    expect(seconds).toBeLessThan((1.1 * 481 * 0.06) / 8);
  });
});

/** A run of one model with cells of two kinds, whose answers depend on the request alone. */
async function answering(answer: Answering, trials = 4) {
  const clock = createVirtualClock();
  const config = aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency: 8, retries: 3 } });
  const fake = fakeTarget(config, clock, answer);
  const model = aModel('t/m');
  const cells = Array.from({ length: 120 }, (_, cell) =>
    aCellToRun(model, `${cell % 3 === 0 ? 'json' : 'text'}-${cell}`, trials),
  );
  const trial: Trial = (planned) =>
    function* (ask) {
      const isJson = planned.cell.key.includes('/json-');
      const format = isJson ? { response_format: { type: 'json_schema' } } : {};
      for (let attempt = 0; ; attempt += 1) {
        const body = { model: 'm', cell: planned.cell.key, sample: ask.sample, ...format };
        const outcome = judgedByStatus(yield { purpose: 'probe', step: 'request', attempt, body });
        if (!outcome.fault || attempt >= 3) return outcome;
      }
    };
  const started = clock.now();
  const events = await clock.runUntil(eventsOf(drive(driveOptions(aPlan(cells), [fake.target], clock, { trial }))));
  const findings = Object.entries(findingsIn(events));
  const verdictsOf = (kind: string): Set<string> =>
    new Set(findings.filter(([key]) => key.includes(`/${kind}-`)).map(([, { verdict }]) => verdict));
  return {
    events,
    findings: findings.map(([, finding]) => finding),
    verdictsOf,
    seconds: (clock.now() - started) / 1000,
    requests: fake.seen.length,
    /** Plain requests: one opens the model, the others ask whether it still answers. */
    questions: fake.seen.filter(({ body }) => !('cell' in (body as object))).length,
  };
}

describe('refusals that slowing down does not stop', () => {
  test('one request in twenty refused, whatever the load, costs little', async () => {
    const { verdictsOf, seconds } = await answering((_, count) =>
      (count * 7919) % 100 < 5 ? { ms: 5, status: 529, body: [''] } : { ms: 100 },
    );
    expect(verdictsOf('text')).toEqual(new Set(['pass']));
    expect(seconds).toBeLessThan(5 * ((480 * 0.1) / 8));
  });

  test('a model that dies is given up after ten seconds, and the stop says since when', async () => {
    const failure = { kind: 'connection_reset', message: 'reset' } as const;
    const { events, seconds } = await answering((_, count) =>
      count > 100 ? { ms: 5, status: null, body: [], failure } : { ms: 100 },
    );
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThan(15);
    expect(events.at(-1)).toMatchObject({ stopped: [{ kind: 'unanswered', answered: 100 }] });
  });

  test('a model that dies late is given up after a tenth of the run', async () => {
    const failure = { kind: 'connection_reset', message: 'reset' } as const;
    const { seconds } = await answering((_, count) =>
      count > 400 ? { ms: 5, status: null, body: [], failure } : { ms: 4000 },
    );
    const before = (400 / 8) * 4;
    expect(seconds).toBeGreaterThan(before + 0.09 * before);
    expect(seconds).toBeLessThan(before + 0.2 * before);
  });

  test.each([
    [8, true],
    [12, false],
  ])('%i lost answers in a row: no question is asked: %s', async (lost, isQuiet) => {
    const failure = { kind: 'connection_reset', message: 'reset' } as const;
    const { requests, questions } = await answering((_, count) =>
      count > 100 && count <= 100 + lost ? { ms: 5, status: null, body: [], failure } : { ms: 100 },
    );
    expect(requests).toBeGreaterThan(480);
    expect(questions === 1).toBe(isQuiet);
  });

  test('a model that goes down is given up after two minutes, with the reason in its cells', async () => {
    const { events, seconds, findings } = await answering((_, count) =>
      count > 100 ? { ms: 5, status: 503, body: [''] } : { ms: 100 },
    );
    expect(seconds).toBeGreaterThan(120);
    expect(seconds).toBeLessThan(180);
    expect(events.at(-1)).toMatchObject({
      stopped: [{ target: 't', model: 't/m', kind: 'unanswered', answered_by: 't/m', status: 503 }],
    });
    const open = findings.filter(({ verdict }) => verdict !== 'pass');
    expect(open.length).toBeGreaterThan(50);
    expect(new Set(open.map(({ verdict, status }) => `${verdict} ${status}`))).toEqual(new Set(['inconclusive 503']));
  });
});
