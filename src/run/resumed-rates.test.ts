import { expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import {
  driveOptions,
  eventsOf,
  fakeTarget,
  memoryJournal,
  aCellToRun,
  servedCompletion,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { JournalLine } from '../journal/event.js';
import { recordedExchangesOf } from '../journal/read-journal.js';
import { drive } from './drive.js';

const model = aModel('t/m');
const plan = aPlan([aCellToRun(model, 'a', 40)]);
const used = 1200;

/** A process that runs until it has sent so many requests, or to its end; returns when each was sent, and the time. */
async function live(lines: JournalLine[], start: number, limits: object, most: number) {
  const clock = createVirtualClock(start);
  const config = aTarget('t', { models: [model], limits: { concurrency: 4, ...limits } });
  const usage = { prompt_tokens: 200, completion_tokens: used - 200 };
  const fake = fakeTarget(config, clock, ({ inFlight }) => ({
    ms: 100 + 700 * inFlight,
    body: [servedCompletion('ok', usage)],
  }));
  const killed = new AbortController();
  const journal = memoryJournal(lines, () => !killed.signal.aborted);
  const recorded = lines.length === 0 ? null : recordedExchangesOf(lines, { matchBodies: false });
  const options = driveOptions(plan, [fake.target], clock, { journal, recorded, signal: killed.signal });
  const state = { ended: false };
  const run = eventsOf(drive(options)).finally(() => (state.ended = true));
  run.catch(() => {});
  void clock.runUntil(run).catch(() => {});
  while (!state.ended && fake.seen.length < most) await new Promise((resolve) => setImmediate(resolve));
  killed.abort();
  return { times: fake.seen.map(({ at }) => at), now: clock.now() };
}

test.each([
  [{ requestsPerMinute: 10 }, 10],
  [{ tokensPerMinute: 12_000 }, 12_000 / used],
])('a run with %j keeps to it over five kills, whatever was in flight', async (limits, most) => {
  const lines: JournalLine[] = [];
  const times: number[] = [];
  let now = 1_000_000;
  for (const requests of [3, 5, 1, 2, 4, Infinity]) {
    const one = await live(lines, now, limits, requests);
    times.push(...one.times);
    now = one.now + 50;
  }
  expect(lines.at(-1)?.type).toBe('run_finished');
  expect(times.length).toBeGreaterThan(41);
  const within = times.map((at) => times.filter((time) => time >= at && time < at + 60_000).length);
  expect(Math.max(...within)).toBeLessThanOrEqual(most);
  expect(times.at(-1)! - times[0]!).toBeLessThan(60_000 * 1.2 * (times.length / most));
});
