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
  aCellToRun,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { JournalLine } from '../journal/event.js';
import { isObject } from '../json/json.js';
import { recordedExchangesOf } from '../journal/read-journal.js';
import { drive, replay } from './drive.js';

const refused = { status: 401, body: ['{"error":{"message":"The API key is expired"}}'] };
const modelOf = (body: unknown): string => (body as { model: string }).model;

interface RunChanges {
  /** It stands for the service. */
  readonly simulator?: boolean;
  /** Targets, all with the same key. */
  readonly targets?: readonly string[];
}

async function run(
  answer: Answering,
  models = 4,
  before: readonly JournalLine[] = [],
  { simulator = false, targets = ['t'] }: RunChanges = {},
) {
  const clock = createVirtualClock();
  const limits = { concurrency: 4, retries: 3 };
  let requests = 0;
  const fakes = targets.map((name) =>
    fakeTarget(aTarget(name, { baseUrl: 'http://fake/v1', apiKeyEnv: 'KEY', limits }), clock, (seen) => {
      requests += 1;
      return answer(seen, requests);
    }),
  );
  const cells = targets.flatMap((name) =>
    Array.from({ length: models }, (_, index) => aModel(`${name}/m${index}`)).flatMap((model) =>
      Array.from({ length: 10 }, (_, cell) => aCellToRun(model, `c${cell}`, 2)),
    ),
  );
  const lines: JournalLine[] = [...before];
  const options = driveOptions(
    aPlan(cells),
    fakes.map(({ target }) => ({ ...target, simulator })),
    clock,
    {
      trial: plainTrial(3),
      journal: memoryJournal(lines),
      recorded: before.length === 0 ? null : recordedExchangesOf(before, { matchBodies: false }),
    },
  );
  const events = await clock.runUntil(eventsOf(drive(options)));
  const stops = events.flatMap((event) => (event.type === 'stopped' ? [event.stop] : []));
  const verdicts = new Set(Object.values(findingsIn(events)).map(({ verdict }) => verdict));
  const seen = fakes.flatMap((fake) => fake.seen);
  const controls = seen.filter(({ body }) => isObject(body) && body['control'] === true).length;
  return { clock, events, lines, options, seen, controls, stops, verdicts };
}

describe('a key that expires in the middle of a run', () => {
  test.each([1, 4])('stops the target of %i models with one reason, and no cell fails', async (models) => {
    const { stops, verdicts, seen } = await run((_, count) => (count > 15 ? refused : {}), models);
    expect(stops).toMatchObject([{ target: 't', model: null, kind: 'key_refused', answered: 15 }]);
    expect(verdicts).not.toContain('fail');
    expect(seen.length).toBeLessThan(15 + 14);
  });

  test('is found out by two questions, however many are refused at once', async () => {
    const { controls } = await run((_, count) => (count > 15 ? refused : {}));
    const { controls: openings } = await run(() => ({}));
    expect(controls - openings).toBe(2);
  });

  test('stops each target that has it', async () => {
    const startedAt = createVirtualClock().now();
    const { stops } = await run((_, count) => (count > 30 ? refused : {}), 2, [], { targets: ['t', 'u'] });
    expect(stops.map(({ kind, target, model }) => [kind, target, model]).sort()).toEqual([
      ['key_refused', 't', null],
      ['key_refused', 'u', null],
    ]);
    // One question is enough for both.
    expect(new Set(stops.map((stop) => ('answered_by' in stop ? stop.answered_by : null))).size).toBe(1);
    const since = stops.map((stop) => (stop.kind === 'key_refused' ? Date.parse(stop.since) : NaN));
    expect(since.every((at) => at >= startedAt)).toBe(true);
  });

  test('is found out after a doubt that came to nothing, too', async () => {
    const { stops } = await run((_, count) => (count === 20 || count > 40 ? refused : {}));
    expect(stops).toMatchObject([{ target: 't', model: null, kind: 'key_refused' }]);
  });

  test('is found out from a model that is still asked, not from one that is refused already', async () => {
    const { stops } = await run(({ body }, count) =>
      (modelOf(body) === 'm0' && count > 12) || count > 40 ? refused : {},
    );
    expect(stops).toMatchObject([
      { target: 't', model: 't/m0', kind: 'key_refused' },
      { target: 't', model: null, kind: 'key_refused' },
    ]);
  });

  test('is no matter of a model that was never answered', async () => {
    const { stops } = await run(({ body }, count) =>
      modelOf(body) === 'm0' || (modelOf(body) === 'm1' && count > 15) ? refused : {},
    );
    expect(stops.filter(({ kind }) => kind === 'key_refused')).toMatchObject([{ target: 't', model: 't/m1' }]);
  });

  test('is nothing that the embedded service can have', async () => {
    const { stops } = await run((_, count) => (count > 15 ? refused : {}), 4, [], { simulator: true });
    expect(stops.filter(({ kind }) => kind === 'key_refused')).toEqual([]);
  });

  test('is judged again the same without a new key', async () => {
    const { lines, events, options } = await run((_, count) => (count > 15 ? refused : {}));
    const again = await eventsOf(replay(lines, { ...options, targets: [aTarget('t')] }));
    expect(findingsIn(again)).toEqual(findingsIn(events));
    const asked = (all: typeof events) => all.filter(({ type }) => type === 'exchange').length;
    expect(asked(again)).toBe(asked(events));
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
