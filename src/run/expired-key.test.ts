import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import {
  type Answering,
  driveOptions,
  eventsOf,
  fakeTarget,
  findingsIn,
  memoryJournal,
  plainTrial,
  runTicket,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { JournalLine } from '../journal/event.js';
import { recordedExchangesOf } from '../journal/read-journal.js';
import { drive, replay } from './drive.js';

const refused = { status: 401, body: ['{"error":{"message":"The API key is expired"}}'] };
const modelOf = (body: unknown): string => (body as { model: string }).model;

async function run(answer: Answering, models = 4, before: readonly JournalLine[] = []) {
  const clock = createVirtualClock();
  const limits = { concurrency: 4, retries: 3 };
  const fake = fakeTarget(aTarget('t', { baseUrl: 'http://fake/v1', apiKeyEnv: 'KEY', limits }), clock, answer);
  const tickets = Array.from({ length: models }, (_, index) => aModel(`t/m${index}`)).flatMap((model) =>
    Array.from({ length: 10 }, (_, cell) => runTicket(model, `c${cell}`, 2)),
  );
  const lines: JournalLine[] = [...before];
  const options = driveOptions(aPlan(tickets), [fake.target], clock, {
    trial: plainTrial(3),
    journal: memoryJournal(lines),
    recorded: before.length === 0 ? null : recordedExchangesOf(before, { matchBodies: false }),
  });
  const events = await clock.runUntil(eventsOf(drive(options)));
  const stops = events.flatMap((event) => (event.type === 'stopped' ? [event.stop] : []));
  const verdicts = new Set(Object.values(findingsIn(events)).map(({ verdict }) => verdict));
  return { clock, events, lines, options, seen: fake.seen, stops, verdicts };
}

describe('a key that expires in the middle of a run', () => {
  test.each([1, 4])('stops the target of %i models with one reason, and no cell fails', async (models) => {
    const { stops, verdicts, seen } = await run((_, count) => (count > 15 ? refused : {}), models);
    expect(stops).toMatchObject([{ target: 't', model: null, kind: 'key_refused', answered: 15 }]);
    expect(verdicts).not.toContain('fail');
    expect(seen.length).toBeLessThan(15 + 14);
  });

  test('goes on with a new key when the run is resumed, and is judged again the same', async () => {
    const first = await run((_, count) => (count > 15 ? refused : {}));
    const second = await run(() => ({}), 4, first.lines);
    expect([...second.verdicts]).toEqual(['pass']);
    expect(second.stops).toEqual([]);
    const again = await eventsOf(
      replay(
        second.lines.filter((line, index) => line.type !== 'run_finished' || index === second.lines.length - 1),
        { ...second.options, targets: [aTarget('t')] },
      ),
    );
    expect(findingsIn(again)).toEqual(findingsIn(second.events));
  });

  test.each([403, 401])('is another matter than a model that the key may no longer use: %i', async (status) => {
    const { stops, verdicts } = await run(({ body }, count) =>
      modelOf(body) === 'm1' && count > 15 ? { ...refused, status } : {},
    );
    expect(stops).toMatchObject([{ target: 't', model: 't/m1', kind: 'key_refused' }]);
    expect(verdicts).toContain('pass');
  });

  test('is another matter than one refusal', async () => {
    const { stops } = await run((_, count) => (count === 20 ? refused : {}));
    expect(stops).toEqual([]);
  });

  test('is another matter than a wrong key, which never worked', async () => {
    const { stops } = await run(() => refused);
    expect(stops.filter(({ kind }) => kind === 'key_refused')).toEqual([]);
  });
});
