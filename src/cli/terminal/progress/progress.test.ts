import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '../../../journal/event.js';
import {
  aFinding,
  aModel,
  anEntry,
  anExchangeRecord,
  aPlan,
  aTarget,
  aTicket,
  countedTrials,
  expectedPass,
  passing,
} from '../../../../test/support/build.js';
import { anIo } from '../../../../test/support/io.js';
import type { Spent } from '../../../run/budget-ledger.js';
import { openProgress, type Verbosity } from './progress.js';
import { type RunFacts, runSoFar } from './run-so-far.js';
import { durationText, statusText, unaskedText } from './status-text.js';

const start = Date.parse('2026-11-20T08:00:00.000Z');
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const noBudget = { requests: null, tokens: null, cost: null };
const limits = { concurrency: 2, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 60, retries: 3 };
const ticket = (path: string, model = 'demo/one', trials = 10, changes = {}) =>
  aTicket({ path, model: aModel(model), trials: countedTrials(trials), ...changes });

function facts(changes: Partial<RunFacts> = {}): RunFacts {
  return {
    plan: aPlan([ticket('s/a'), ticket('s/b')]),
    targets: [aTarget('demo', { limits })],
    accounts: new Map(),
    ...{ budget: noBudget, share: 1, now: () => Date.now(), ...changes },
  };
}

/** An answer that took so many milliseconds and ends now. */
function answer(cell: string | null, model = 'demo/one', ms = 1000): RunEvent {
  const record = anExchangeRecord('e000001', cell, { model });
  const timing = { started_at: new Date(Date.now() - ms).toISOString(), headers_ms: ms, total_ms: ms };
  return { ...record, exchange: { ...record.exchange, timing } };
}
const trialEvent = (cell: string): RunEvent => ({
  ...{ type: 'trial', cell, ask: { kind: 'trial', patch: {}, sample: 0 }, outcome: passing, exchanges: [] },
});
const cellEvent = (cell: string, finding = aFinding(1, 0), more = {}): RunEvent => ({
  ...{ type: 'cell', cell, finding, exchanges: [] },
  ...more,
});

const [a, b] = ['s/a@demo/one', 's/b@demo/one'];

describe('the status', () => {
  test('counts, and works out rate, elapsed time and the time left at the concurrency', () => {
    const soFar = runSoFar(facts());
    for (let second = 0; second < 5; second += 1) {
      vi.advanceTimersByTime(2000);
      soFar.see(answer(a, 'demo/one', 2000));
      soFar.see(trialEvent(a));
    }
    // 15 requests are left, at five in ten seconds.
    expect(soFar.status()).toMatchObject({
      cells: 0,
      planned: 2,
      requests: 5,
      perMinute: 30,
      elapsedSeconds: 10,
      left: 30,
    });
    soFar.see(cellEvent(a));
    expect(soFar.status()).toMatchObject({ cells: 1, left: 20 });
    soFar.see(cellEvent(b));
    expect(soFar.status()).toMatchObject({ cells: 2, left: null });
  });

  test.each([
    ['requests per minute', { requestsPerMinute: 4 }, 1, 240],
    ['tokens per minute', { tokensPerMinute: 600 }, 1, 140],
    ['a third of the limits, in a shard', { requestsPerMinute: 12 }, 1 / 3, 240],
  ])('respects %s', (_, limit, share, seconds) => {
    const soFar = runSoFar(facts({ targets: [aTarget('demo', { limits: { ...limits, ...limit } })], share }));
    soFar.watchBudget(() => ({ requests: 2, tokens: 200, cost: 0 }));
    expect(soFar.status().left).toBeCloseTo(seconds);
  });

  test('knows that targets of one key share their limits', () => {
    const plan = aPlan([ticket('s/a', 'demo/one'), ticket('s/a', 'else/one')]);
    const own = (name: string) => aTarget(name, { limits: { ...limits, requestsPerMinute: 10 } });
    const targets = [own('demo'), own('else')];
    expect(runSoFar(facts({ plan, targets })).status().left).toBeCloseTo(5);
    const accounts = new Map([
      ['demo', 'key'],
      ['else', 'key'],
    ]);
    expect(runSoFar(facts({ plan, targets, accounts })).status().left).toBeCloseTo(60);
  });

  test('goes by the pace of the last minute where a service is slower than its limits', () => {
    const soFar = runSoFar(facts());
    for (let count = 0; count < 4; count += 1) {
      vi.advanceTimersByTime(15_000);
      soFar.see(answer(a, 'demo/one', 100));
      soFar.see(trialEvent(a));
    }
    expect(soFar.status().perMinute).toBe(4);
    expect(soFar.status().left).toBeCloseTo(240);
  });

  test('takes no answer of an interrupted run for its own pace', () => {
    const soFar = runSoFar(facts({ recorded: { count: 1, lost: 0 } }));
    soFar.see(answer(a, 'demo/one', 60_000));
    soFar.see(trialEvent(a));
    expect(soFar.status()).toMatchObject({ requests: 1, perMinute: 0, left: 9.5 });
  });

  test('says what each target waits for, as long as it does', () => {
    const plan = aPlan([ticket('s/a', 'demo/one'), ticket('s/a', 'else/x')]);
    const soFar = runSoFar(facts({ plan, targets: [aTarget('demo', { limits }), aTarget('else', { limits })] }));
    const waits = () => statusText(soFar.status()).replace(/^.* so far(?:, )?/, '');
    expect(waits()).toBe('');
    soFar.see({ type: 'waiting', target: 'demo', seconds: 12, reason: 'rate_limit' });
    vi.advanceTimersByTime(2000);
    expect(waits()).toBe('demo: per-minute limit, 10 s');
    vi.advanceTimersByTime(10_000);
    soFar.see(answer(a));
    vi.advanceTimersByTime(20_000);
    expect(waits()).toBe('demo: no answer for 20 s, else: no answer for 32 s');
  });

  test.each<[string, object, ReturnType<typeof aFinding>, number]>([
    ['a failure that was expected to pass', { expected: expectedPass, confirm: false }, aFinding(0, 1), 1],
    ['a pass', { expected: expectedPass, confirm: false }, aFinding(1, 0), 0],
    ['a known failure', { expected: anEntry(), confirm: false }, aFinding(0, 1), 0],
    ['a known failure that passes', { expected: anEntry(), confirm: false }, aFinding(1, 0), 1],
    ['a confirmed surprise', { expected: expectedPass }, aFinding(1, 1, { surprise: 'confirmed' }), 1],
    ['a surprise that was luck', { expected: expectedPass }, aFinding(1, 1, { surprise: 'cleared' }), 0],
    [
      'what could not be measured',
      { expected: expectedPass, confirm: false },
      aFinding(0, 0, { verdict: 'inconclusive' }),
      0,
    ],
  ])('deviations: %s', (_, changes, finding, deviations) => {
    const soFar = runSoFar(facts({ plan: aPlan([ticket('s/a', 'demo/one', 1, changes)]) }));
    soFar.see(cellEvent(a, finding));
    expect(soFar.status().deviations).toBe(deviations);
  });

  test('shows what was spent of the budget', () => {
    const spent: Spent = { requests: 480, tokens: 12_345, cost: 0.4217 };
    const text = (budget: RunFacts['budget'], share = 1) => {
      const soFar = runSoFar(facts({ budget, share }));
      soFar.watchBudget(() => spent);
      return statusText(soFar.status());
    };
    expect(text({ requests: 1500, tokens: 20_000, cost: 10 })).toContain(
      '12,345 of 20,000 tokens spent, cost 0.4217 of 10.00',
    );
    expect(text(noBudget)).toContain('cost 0.4217');
    expect(text(noBudget)).not.toContain('spent');
  });

  test('counts a request once it is answered, and against the budget as the report counts it', () => {
    const shown = (changes: Partial<RunFacts>) => {
      const soFar = runSoFar(facts(changes));
      // What is only reserved, or settled and not yet recorded, is not spent for the reader.
      soFar.watchBudget(() => ({ requests: 99, tokens: 0, cost: 0 }));
      vi.advanceTimersByTime(1000);
      soFar.see(answer(a, 'demo/one', 500));
      return statusText(soFar.status());
    };
    expect(shown({})).toContain(', 1 request (60 a minute)');
    const budget = { ...noBudget, requests: 1500 };
    expect(shown({ budget })).toContain(', 1 of 1,500 requests (60 a minute)');
    expect(shown({ budget, share: 1 / 3 })).toContain(', 1 of 500 requests (');
    expect(shown({ budget: { ...noBudget, requests: 1 } })).toContain(', 1 of 1 request (');
    const recorded = { count: 28, lost: 1 };
    expect(shown({ budget, recorded })).toContain(', 29 of 1,500 requests and 1 without an answer (');
  });

  test('says what was not asked once a run has stopped', () => {
    const stop = { target: null, model: null, kind: 'interrupted' } as const;
    const soFar = runSoFar(facts({ plan: aPlan(['s/a', 's/b', 's/c', 's/d'].map((path) => ticket(path))) }));
    soFar.see(cellEvent(a));
    soFar.see(answer(b));
    expect(unaskedText(soFar.status())).toBeNull();
    soFar.see(cellEvent('s/c@demo/one', aFinding(0, 0, { verdict: 'not_run' }), { stop: { kind: 'interrupted' } }));
    soFar.see({ type: 'stopped', stop });
    expect(unaskedText(soFar.status())).toBe('of 4 cells, 2 not asked and 1 asked only in part');
    expect(soFar.status().left).toBeNull();
  });
});

describe('what is printed', () => {
  const printed = async (verbosity: Verbosity, act: (see: (event: RunEvent) => void) => void): Promise<string[]> => {
    let text = '';
    const io = anIo({ cwd: '/', err: (more) => (text += more) });
    const progress = await openProgress(facts(), verbosity, (one) => one.replaceAll('secret', '[redacted]'), io);
    act((event) => void progress.onEvent(event));
    await progress.onEnd?.();
    return text.split('\n').filter((one) => one !== '');
  };

  test('without a terminal, a line at least every 30 seconds', async () => {
    const lines = await printed('usual', () => {
      vi.advanceTimersByTime(95_000);
    });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      'chatspec: 0/2 cells, 0 requests (0 a minute), 30 s, 0 deviations so far, demo: no answer for 30 s',
    );
  });

  test('and none for each request, unless it is verbose, and then without what was said', async () => {
    const act = (see: (event: RunEvent) => void): void => {
      see(answer(a));
      see({ type: 'model', model: 'demo/one', reachable: false, outcome: { detail: 'my secret' } } as RunEvent);
    };
    expect(await printed('usual', act)).toEqual(['chatspec: demo/one does not answer a plain request: my [redacted]']);
    const verbose = await printed('verbose', act);
    expect(verbose[0]).toMatch(/^chatspec: e000001 s\/a@demo\/one, trial 1: HTTP 200 after 1\.00 s$/);
    expect(await printed('quiet', act)).toEqual([]);
  });

  test('a wait names the model and the cause, and many of them do not bury the progress', async () => {
    const retry = (cause: string): RunEvent => ({
      ...{ type: 'waiting', reason: 'retry', target: 'demo', model: 'demo/one', seconds: 2, cause },
    });
    const act = (see: (event: RunEvent) => void): void => {
      for (let count = 0; count < 45; count += 1) {
        see(retry(count < 40 ? 'HTTP 500' : 'HTTP 429'));
        vi.advanceTimersByTime(1000);
      }
      see({ type: 'waiting', target: 'demo', seconds: 5, reason: 'rate_limit' });
    };
    const notes = (await printed('usual', act)).filter((one) => !one.includes('cells'));
    expect(notes).toEqual([
      'chatspec: demo/one: HTTP 500, retrying in 2.0 s',
      'chatspec: demo/one: HTTP 500, retrying in 2.0 s (and 29 times since the last such line)',
      'chatspec: demo: waiting 5.0 s because of the per-minute limit',
    ]);
    const verbose = (await printed('verbose', act)).filter((one) => one.includes('retrying') && !one.includes('cells'));
    expect(verbose).toHaveLength(45);
    expect(verbose.at(-1)).toBe('chatspec: demo/one: HTTP 429, retrying in 2.0 s');
  });
});

test.each([
  [0, '0 s'],
  [59.4, '59 s'],
  [190, '3 min 10 s'],
  [3900, '1 h 5 min'],
])('%d seconds are %s', (seconds, text) => expect(durationText(seconds)).toBe(text));
