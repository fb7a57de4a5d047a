import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import {
  memoryJournal,
  type Answering,
  driveOptions,
  eventsOf,
  fakeTarget,
  findingsIn,
  plainTrial,
  aCellToRun,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import { type Json } from '../json/json.js';
import { canonicalJson } from '../json/canonical-json.js';
import { drive, replay } from './drive.js';
import { type DriveOptions } from './drive-options.js';
import type { Send } from '../plan/plan.js';
import type { JournalLine, RunEvent } from '../journal/event.js';
import type { Journal } from '../journal/journal.js';
import { JournalError } from '../journal/journal-error.js';
import { recordedExchangesOf } from '../journal/read-journal.js';

const concurrency = 3;
const models = [aModel('t/m'), aModel('t/n')];
const plan = aPlan(
  models.flatMap((model) => [
    aCellToRun(model, 'a', 4),
    aCellToRun(model, 'b', 3, { needs: [`s/a@${model.key}`] }),
    aCellToRun(model, 'c', 5),
  ]),
);

/** Answers that depend on the request alone, as with a seed. Some are wrong, some are faults at first. */
function answering(): Answering {
  const asked = new Map<string, number>();
  return ({ body }) => {
    const text = canonicalJson(body);
    const before = asked.get(text) ?? 0;
    asked.set(text, before + 1);
    const chance = Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1009, 7);
    const ms = 50 + (chance % 7) * 20;
    if (text.includes('control')) return { ms };
    if (chance % 5 === 0) return { ms, status: 503, body: ['{}'] };
    return chance % 4 === 0 ? { ms, status: 400, body: ['{}'] } : { ms };
  };
}

function session(lines: JournalLine[], changes: Partial<DriveOptions> = {}, lives: () => boolean = () => true) {
  const clock = createVirtualClock();
  const fake = fakeTarget(
    aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency, retries: 2 } }),
    clock,
    answering(),
  );
  const recorded = lines.length === 0 ? null : recordedExchangesOf(lines, { matchBodies: false });
  const options = driveOptions(plan, [fake.target], clock, {
    trial: plainTrial(2),
    journal: memoryJournal(lines, lives),
    recorded,
    ...changes,
  });
  return { clock, options, ...fake };
}

const bodies = (seen: readonly { readonly body: Json }[]): string[] => seen.map(({ body }) => canonicalJson(body));

async function undisturbed() {
  const lines: JournalLine[] = [];
  const { clock, options, seen } = session(lines);
  const events = await clock.runUntil(eventsOf(drive(options)));
  return { lines, events, seen, findings: findingsIn(events) };
}

const trialsIn = (events: readonly RunEvent[]) =>
  events.flatMap((event) =>
    event.type === 'trial' ? [{ cell: event.cell, ask: event.ask, outcome: event.outcome }] : [],
  );
const sorted = (values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value)).sort();

describe('a run that was killed', () => {
  test('continues where it was: same findings, and only requests in flight are repeated', async () => {
    const whole = await undisturbed();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.events.length - 1 }), async (killAfter) => {
        const lines: JournalLine[] = [];
        const process = { lives: true };
        const first = session(lines, {}, () => process.lives);
        const events: RunEvent[] = [];
        const firstRun = (async () => {
          for await (const event of drive(first.options)) {
            events.push(event);
            // As after SIGKILL: nothing more is read or written.
            if (events.length === killAfter) {
              process.lives = false;
              return;
            }
          }
        })();
        void firstRun.catch(() => {});
        await Promise.race([
          first.clock.runUntil(firstRun),
          (async () => {
            while (process.lives) await new Promise((resolve) => setImmediate(resolve));
          })(),
        ]);
        const journaled = new Set(
          lines.flatMap((line) =>
            line.type === 'exchange' ? [JSON.stringify([line.exchange.request.body, line.attempt])] : [],
          ),
        );
        const sentBefore = first.seen.length;

        const second = session(lines);
        const after = await second.clock.runUntil(eventsOf(drive(second.options)));
        expect(findingsIn(after)).toEqual(whole.findings);
        expect(sorted(trialsIn(after))).toEqual(sorted(trialsIn(whole.events)));
        expect(sentBefore + second.seen.length - whole.seen.length).toBeLessThanOrEqual(concurrency);
        expect(second.seen.length).toBe(whole.seen.length - journaled.size);
        const ids = lines.flatMap((line) => (line.type === 'exchange' ? [line.id] : []));
        expect(new Set(ids).size).toBe(ids.length);
        expect(lines.filter(({ type }) => type === 'run_started').length).toBe(1);
        expect(lines.at(-1)?.type).toBe('run_finished');
      }),
      { numRuns: 40 },
    );
  });

  test('asks nothing when it had finished', async () => {
    const whole = await undisturbed();
    const { clock, options, seen } = session([...whole.lines]);
    const later = { ...clock, now: () => clock.now() + 30 * 86_400_000 };
    const again = await clock.runUntil(eventsOf(drive({ ...options, clock: later })));
    expect(seen).toEqual([]);
    expect(findingsIn(again)).toEqual(whole.findings);
    const [ended, then] = [again, whole.lines].map((all) => all.findLast(({ type }) => type === 'run_finished'));
    // Nothing was asked, so what it shows is as old as it was.
    expect(ended).toEqual(then);
  });

  test('counts what it had spent against the budget', async () => {
    const whole = await undisturbed();
    const { clock, options, seen } = session(whole.lines.slice(0, 11), {
      budget: { requests: 15, tokens: null, cost: null },
    });
    await clock.runUntil(eventsOf(drive(options)));
    expect(seen.length).toBe(5);
  });

  test('keeps to the budget, however its spending is spread over the models', async () => {
    const whole = await undisturbed();
    const asked = whole.lines.filter((line) => line.type === 'exchange');
    const started = whole.lines.slice(0, 1);
    await fc.assert(
      fc.asyncProperty(fc.subarray(asked), fc.nat(asked.length), async (before, requests) => {
        const { clock, options, seen } = session([...started, ...before], {
          budget: { requests, tokens: null, cost: null },
        });
        await clock.runUntil(eventsOf(drive(options)));
        expect(seen.length).toBeLessThanOrEqual(Math.max(0, requests - before.length));
      }),
      { numRuns: 40 },
    );
  });

  test.each([1, 2, 3, 4])('keeps to its budget over five kills, whatever was in flight (%i)', async (chance) => {
    const budget = { requests: 21, tokens: null, cost: null };
    const lines: JournalLine[] = [];
    let sent = 0;
    let inFlight = 0;
    for (let kill = 0; kill < 5; kill += 1) {
      const process = { lives: true };
      const { clock, options, seen } = session(lines, { budget }, () => process.lives);
      let events = 0;
      const run = (async () => {
        for await (const event of drive(options)) {
          if (event.type === 'exchange') events += 1;
          const isNew = seen.length > 1 + ((kill * chance) % 3);
          if (isNew && events > 0) {
            process.lives = false;
            return;
          }
        }
        process.lives = false;
      })();
      void run.catch(() => {});
      await Promise.race([
        clock.runUntil(run),
        (async () => {
          while (process.lives) await new Promise((resolve) => setImmediate(resolve));
        })(),
      ]);
      sent += seen.length;
      const names = (type: 'sent' | 'exchange') => lines.filter((line) => line.type === type).length;
      inFlight = names('sent') - names('exchange');
    }
    expect(inFlight).toBeGreaterThan(0);
    const last = session(lines, { budget });
    await last.clock.runUntil(eventsOf(drive(last.options)));
    expect(sent + last.seen.length).toBe(budget.requests);
  });

  test('charges the tokens that were reserved for what was in flight', async () => {
    const lines: JournalLine[] = [];
    const { clock, options } = session(lines, { budget: { requests: null, tokens: 1_000_000, cost: null } });
    await clock.runUntil(eventsOf(drive(options)));
    const lost = lines.filter((line) => line.type === 'exchange').slice(-4);
    const before = lines.filter((line) => line.type !== 'run_finished' && !lost.includes(line as never));
    const recorded = recordedExchangesOf(before, { matchBodies: false });
    expect(recorded.lost.map(({ tokens }) => tokens > 1000)).toEqual([true, true, true, true]);
    const spent = recorded.lost.reduce((sum, { tokens }) => sum + tokens, 0);
    const again = session(before, { budget: { requests: null, tokens: spent, cost: null } });
    await again.clock.runUntil(eventsOf(drive(again.options)));
    expect(again.seen).toEqual([]);
  });

  test.each([
    { tokens: 1050, cost: null },
    { tokens: null, cost: 0.00105 },
  ])('keeps to %j, which one model used up before another was asked', async (limits) => {
    const price = { prompt: 1, completion: 1 };
    const cells = plan.cells.map(({ cell, ...planned }) => ({
      ...planned,
      cell: { ...cell, model: { ...cell.model, price } },
    }));
    const budget = { requests: null, ...limits };
    const lines: JournalLine[] = [];
    const first = session(lines, { plan: aPlan(cells.filter(({ cell }) => cell.model.key === 't/m')), budget });
    await first.clock.runUntil(eventsOf(drive(first.options)));
    expect(first.seen.length).toBeGreaterThan(0);
    const second = session(lines, { plan: aPlan(cells), budget });
    const events = await second.clock.runUntil(eventsOf(drive(second.options)));
    expect(second.seen).toEqual([]);
    expect(events.some((event) => event.type === 'stopped' && event.stop.kind === 'budget')).toBe(true);
  });
});

describe('a run that is interrupted', () => {
  test('lets requests in flight finish, records them, and ends without a last line', async () => {
    const lines: JournalLine[] = [];
    const abort = new AbortController();
    const { clock, options, seen } = session(lines, { signal: abort.signal });
    const events: RunEvent[] = [];
    await clock.runUntil(
      (async () => {
        for await (const event of drive(options)) {
          events.push(event);
          if (events.length === 12) abort.abort();
        }
      })(),
    );
    expect(events.at(-1)).toEqual({ type: 'stopped', stop: { target: null, model: null, kind: 'interrupted' } });
    expect(lines.some(({ type }) => type === 'run_finished')).toBe(false);
    expect(lines.filter(({ type }) => type === 'exchange').length).toBe(seen.length);
    expect(Object.keys(findingsIn(events)).length).toBe(plan.cells.length);
    expect(Object.values(findingsIn(events)).filter(({ verdict }) => verdict === 'not_run').length).toBeGreaterThan(0);
  });

  test('cuts requests in flight after five seconds, and repeats them when it is resumed', async () => {
    const lines: JournalLine[] = [];
    const abort = new AbortController();
    const clock = createVirtualClock();
    const slow = fakeTarget(aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency } }), clock, ({ body }) =>
      canonicalJson(body).includes('control') ? {} : { ms: 600_000 },
    );
    const options = driveOptions(plan, [slow.target], clock, {
      journal: memoryJournal(lines, () => true),
      signal: abort.signal,
    });
    void clock.sleep(1000).then(() => abort.abort());
    const before = clock.now();
    await clock.runUntil(eventsOf(drive(options)));
    expect(clock.now() - before).toBeLessThanOrEqual(6100);
    expect(lines.filter(({ type }) => type === 'exchange').length).toBe(2);
    const again = session(lines);
    await again.clock.runUntil(eventsOf(drive(again.options)));
    expect(bodies(again.seen)).toEqual(expect.arrayContaining(bodies(slow.seen.slice(2))));
  });

  test('stops when its listener leaves', async () => {
    const { clock, options, seen } = session([]);
    await clock.runUntil(
      (async () => {
        for await (const event of drive(options)) if (event.type === 'trial') break;
      })(),
    );
    expect(seen.length).toBeLessThan(20);
  });
});

describe('a run that breaks', () => {
  test.each(['course', 'trial'])(
    'in a %s ends with an error that names the cell, and closes the journal',
    async (where) => {
      const lines: JournalLine[] = [];
      let closed = false;
      const { clock, options } = session(lines);
      const broken: Partial<DriveOptions> =
        where === 'course'
          ? {
              courses: {
                ...options.courses,
                fixed: () => {
                  throw new Error('oh');
                },
              },
            }
          : {
              trial: () => {
                throw new Error('oh');
              },
            };
      const journal = { ...memoryJournal(lines, () => true), close: () => Promise.resolve(void (closed = true)) };
      const events = clock.runUntil(eventsOf(drive({ ...options, ...broken, journal })));
      await expect(events).rejects.toMatchObject({
        name: 'InternalError',
        cell: expect.stringMatching(/^s\/[ac]@t\/[mn]$/) as string,
      });
      expect(closed).toBe(true);
      expect(lines.at(-1)?.type).not.toBe('run_finished');
    },
  );

  test('no answer breaks a run: a trial that throws on one is a fault of no class, and its exchange is in the journal', async () => {
    const lines: JournalLine[] = [];
    const whole = plainTrial(2);
    const trial: DriveOptions['trial'] = (planned) =>
      function* (ask) {
        const asked = whole(planned)(ask);
        const { value } = asked.next();
        if (planned.cell.key !== 's/c@t/m') return yield* whole(planned)(ask);
        yield value as Send;
        throw new RangeError('Maximum call stack size exceeded');
      };
    const { clock, options } = session(lines, { trial });
    const events = await clock.runUntil(eventsOf(drive(options)));
    expect(lines.at(-1)?.type).toBe('run_finished');
    const recorded = lines.filter((line) => line.type === 'exchange' && line.cell === 's/c@t/m');
    const trials = events.flatMap((event) =>
      event.type === 'trial' && event.cell === 's/c@t/m' ? [event.outcome] : [],
    );
    expect(trials.length).toBeGreaterThan(0);
    expect(recorded).toHaveLength(trials.length);
    for (const outcome of trials) expect(outcome).toMatchObject({ passed: false, fault: true, class: null });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'cell',
        cell: 's/c@t/m',
        finding: expect.objectContaining({ verdict: 'inconclusive' }) as object,
      }),
    );
  });

  test('because the disk is full ends with that error', async () => {
    const { clock, options } = session([]);
    const full = new JournalError('disk_full', 'full');
    const journal: Journal = {
      append: (line) => (line.type === 'exchange' ? Promise.reject(full) : Promise.resolve()),
      close: () => Promise.resolve(),
    };
    await expect(clock.runUntil(eventsOf(drive({ ...options, journal })))).rejects.toBe(full);
  });
});

describe('judging again', () => {
  const replayed = async (lines: readonly JournalLine[], changed = plan): Promise<RunEvent[]> => {
    const { options } = session([]);
    return eventsOf(
      replay(lines, {
        ...options,
        plan: changed,
        targets: [aTarget('t', { baseUrl: 'http://fake/v1', limits: { retries: 2 } })],
      }),
    );
  };

  test('gives the same events with nothing sent', async () => {
    const whole = await undisturbed();
    const again = await replayed(whole.lines);
    const lasting = (events: readonly RunEvent[]) => sorted(events.filter(({ type }) => type !== 'waiting'));
    expect(lasting(again)).toEqual(lasting(whole.events));
  });

  test('of a run that was cut off says what it would need', async () => {
    const whole = await undisturbed();
    const again = await replayed(whole.lines.slice(0, 10));
    expect(again.at(-1)).toMatchObject({ type: 'stopped', stop: { target: null, kind: 'cut_off' } });
    const cut = Object.values(findingsIn(again)).filter(({ needed }) => needed > 0);
    expect(cut.length).toBeGreaterThan(0);
    const asked = again.filter((event) => event.type === 'cell');
    expect(asked.some(({ finding, stop }) => finding.verdict === 'not_run' && stop?.kind === 'cut_off')).toBe(true);
  });

  test('uses no exchange as the answer to another body', async () => {
    const whole = await undisturbed();
    const lines = whole.lines.map((line) =>
      line.type === 'exchange' && line.cell === 's/c@t/m'
        ? { ...line, exchange: { ...line.exchange, request: { ...line.exchange.request, body: { other: true } } } }
        : line,
    );
    const findings = findingsIn(await replayed(lines));
    expect(findings['s/c@t/m']).toMatchObject({ verdict: 'not_run', needed: 5 });
    expect(findings['s/a@t/m']).toEqual(whole.findings['s/a@t/m']);
  });

  test('knows why the recorded run stopped early', async () => {
    const lines: JournalLine[] = [];
    const { clock, options } = session(lines, { budget: { requests: 6, tokens: null, cost: null } });
    await clock.runUntil(eventsOf(drive(options)));
    const again = await replayed(lines);
    const used = { kind: 'budget', unit: 'requests', limit: 6, shard_part: false };
    expect(again.filter(({ type }) => type === 'cell')).toContainEqual(expect.objectContaining({ stop: used }));
    expect(again).toContainEqual({ type: 'stopped', stop: { target: null, model: null, ...used } });
  });
});
