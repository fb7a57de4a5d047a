import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '../../journal/event.js';
import { aFinding, aModel, anExchangeRecord, aPlan, aPlannedCell, countedTrials } from '../../../test/support/build.js';
import { anIo } from '../../../test/support/io.js';
import { openProgress } from './progress.js';

type Facts = Parameters<typeof openProgress>[0];

const start = Date.parse('2026-11-20T08:00:00.000Z');
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const planned = (path: string) => aPlannedCell({ path, model: aModel('demo/one'), trials: countedTrials(10) });

function facts(changes: Partial<Facts> = {}): Facts {
  return {
    plan: aPlan([planned('s/a'), planned('s/b')]),
    budget: { requests: null, tokens: null, cost: null },
    ...{ share: 1, verbosity: 'usual', redact: (text) => text.replaceAll('secret', '[redacted]') },
    ...changes,
  };
}

/** An answer that took so many milliseconds and ends now. */
function answer(cell: string | null, ms = 1000): RunEvent {
  const record = anExchangeRecord('e000001', cell, { model: 'demo/one' });
  const timing = { started_at: new Date(Date.now() - ms).toISOString(), headers_ms: ms, total_ms: ms };
  return { ...record, exchange: { ...record.exchange, timing } };
}
const cellEvent = (cell: string, finding = aFinding(1, 0)): RunEvent => ({
  ...{ type: 'cell', cell, finding, exchanges: [] },
});

const [a, b] = ['s/a@demo/one', 's/b@demo/one'];

type See = (event: RunEvent) => void;

function open(changes: Partial<Facts>, interactive = false) {
  let text = '';
  const io = { ...anIo({ cwd: '/', err: (more) => (text += more) }), interactive };
  const progress = openProgress(facts(changes), io);
  const see: See = (event) => void progress.onEvent(event);
  return { see, progress, printed: () => text };
}

describe('the status', () => {
  test('counts, and works out the elapsed time and the time left', async () => {
    const { see, progress, printed } = open({});
    vi.advanceTimersByTime(20_000);
    see(answer(a));
    see(cellEvent(a, aFinding(9, 1)));
    await progress.onEnd?.();
    expect(printed()).toBe('chatspec: 1/2 checks, 1 request, 20 s, about 20 s left, 1 unexpected so far\n');
  });

  test('takes no answer of an interrupted run for its own pace, but counts it against the budget', async () => {
    const budget = { requests: 100, tokens: 1000, cost: 2 };
    const { see, progress, printed } = open({ budget, share: 0.5, recorded: { count: 7, lost: 2 } });
    see(answer(a));
    vi.advanceTimersByTime(60_000);
    expect(printed()).toBe('');
    see(answer(a));
    see(cellEvent(a));
    await progress.onEnd?.();
    expect(printed()).toBe(
      'chatspec: 1/2 checks, 8 of 50 requests and 2 without an answer, 1 min 0 s, about 1 min 0 s left, ' +
        '0 unexpected so far\n',
    );
  });

  test('says what was not asked once a run has stopped', async () => {
    const { see, progress, printed } = open({});
    see({ type: 'stopped', stop: { kind: 'interrupted', target: null } } as unknown as RunEvent);
    see(cellEvent(b, { ...aFinding(0, 0), verdict: 'not_run' }));
    await progress.onEnd?.();
    expect(printed()).toContain(', 2 of 2 checks not asked, or only in part\n');
  });
});

describe('what is printed', () => {
  const printed = async (verbosity: Facts['verbosity'], act: (see: See) => void): Promise<string[]> => {
    const { see, progress, printed: text } = open({ verbosity });
    act(see);
    await progress.onEnd?.();
    return text()
      .split('\n')
      .filter((one) => one !== '');
  };

  test('on a terminal, one line that is wiped in the end', async () => {
    const { see, progress, printed: text } = open({}, true);
    see(cellEvent(a));
    vi.advanceTimersByTime(250);
    await progress.onEnd?.();
    const [, first, last] = text().split('\r\u001b[K');
    expect(first).toMatch(/^█{6}░{6} 1\/2 checks, 0 requests, 0 s/);
    expect(last).toBe('');
    expect(text()).not.toContain('\n');
  });

  test('a service that is not there is told once, not for each model', async () => {
    const gone = (model: string): RunEvent =>
      ({ type: 'left_alone', model, outcome: { class: 'transport', detail: 'refused' } }) as RunEvent;
    const lines = await printed('usual', (see) => {
      see(gone('demo/one'));
      see(gone('demo/two'));
      see(gone('other/one'));
    });
    expect(lines.filter((line) => line.includes('refused'))).toHaveLength(2);
  });

  test('without a terminal, a line at least every 30 seconds', async () => {
    const lines = await printed('usual', () => {
      vi.advanceTimersByTime(95_000);
    });
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('chatspec: 0/2 checks, 0 requests, 30 s, 0 unexpected so far');
  });

  test('and none for each request, unless it is verbose, and then without what was said', async () => {
    const act = (see: (event: RunEvent) => void): void => {
      see(answer(a));
      see({ type: 'model', model: 'demo/one', reachable: false, outcome: { detail: 'my secret' } } as RunEvent);
    };
    expect((await printed('usual', act))[0]).toBe('chatspec: demo/one does not answer a plain request: my [redacted]');
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
    const notes = (await printed('usual', act)).filter((one) => !one.includes('checks'));
    expect(notes).toEqual([
      'chatspec: demo/one: HTTP 500, retrying in 2.0 s',
      'chatspec: demo/one: HTTP 500, retrying in 2.0 s',
      'chatspec: demo: waiting 5.0 s because of the per-minute limit',
    ]);
    const verbose = (await printed('verbose', act)).filter(
      (one) => one.includes('retrying') && !one.includes('checks'),
    );
    expect(verbose).toHaveLength(45);
    expect(verbose.at(-1)).toBe('chatspec: demo/one: HTTP 429, retrying in 2.0 s');
  });
});
