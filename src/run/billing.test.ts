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
import { recordedExchangesOf } from '../journal/read-journal.js';
import { drive, replay } from './drive.js';

const cellsEach = 11;
const unpaid = { status: 402, body: ['{"error":{"message":"Insufficient credits"}}'] };
const modelOf = (body: unknown): string => (body as { model: string }).model;
const isControl = (body: unknown): boolean => (body as { control?: boolean }).control === true;

/** Twelve models on one key, by default on one target. */
async function run(
  answer: Answering,
  targetNames: readonly string[] = ['t'],
  before: readonly JournalLine[] = [],
  simulator = false,
) {
  const clock = createVirtualClock();
  const shared = { baseUrl: 'http://fake/v1', apiKeyEnv: 'KEY', limits: { concurrency: 4, retries: 3 } };
  const fakes = targetNames.map((name) => fakeTarget(aTarget(name, shared), clock, answer));
  const models = Array.from({ length: 12 }, (_, index) =>
    aModel(`${targetNames[index % targetNames.length] ?? 't'}/m${index}`),
  );
  const plan = aPlan(
    models.flatMap((model) => Array.from({ length: cellsEach }, (_, cell) => aCellToRun(model, `c${cell}`, 2))),
  );
  const lines: JournalLine[] = [...before];
  const options = driveOptions(
    plan,
    fakes.map(({ target }) => ({ ...target, simulator })),
    clock,
    {
      trial: plainTrial(3),
      journal: memoryJournal(lines),
      recorded: before.length === 0 ? null : recordedExchangesOf(before, { matchBodies: false }),
    },
  );
  const events = await clock.runUntil(eventsOf(drive(options)));
  const findings = Object.entries(findingsIn(events));
  const unmeasured = findings.filter(([, { verdict }]) => verdict !== 'pass').map(([key]) => key);
  const stops = events.flatMap((event) => (event.type === 'stopped' ? [event.stop] : []));
  return { plan, options, fakes, lines, events, unmeasured, stops, sent: fakes.flatMap(({ seen }) => seen) };
}

const ofModel = (keys: readonly string[], model: string): boolean => keys.every((key) => key.endsWith(`/${model}`));

describe('a refusal for billing', () => {
  test.each([0, 3, 11])('of one model in twelve (number %i) leaves the others alone', async (index) => {
    const poor = `m${index}`;
    const { unmeasured, stops, sent } = await run(({ body }) => (modelOf(body) === poor ? unpaid : {}));
    expect(unmeasured).toHaveLength(cellsEach);
    expect(ofModel(unmeasured, poor)).toBe(true);
    expect(stops).toMatchObject([{ target: 't', model: `t/${poor}`, kind: 'quota', answered_by: `t/${poor}` }]);
    expect(sent.filter(({ body }) => modelOf(body) === poor)).toHaveLength(1);
  });

  test('of one model in the middle of its cells costs one plain request to another', async () => {
    const { unmeasured, stops, sent } = await run(({ body }, count) =>
      modelOf(body) === 'm5' && count > 60 ? unpaid : {},
    );
    expect(ofModel(unmeasured, 'm5')).toBe(true);
    expect(stops).toHaveLength(1);
    expect(sent.filter(({ body }) => isControl(body)).length).toBeLessThanOrEqual(12 + 4);
  });

  test.each([
    ['402', unpaid],
    ['a 403 about the balance', { status: 403, body: ['{"error":{"message":"Your credit balance is too low"}}'] }],
    ['a 429 about the quota', { status: 429, body: ['{"error":{"code":"insufficient_quota","message":"quota"}}'] }],
    ['an error in a 200', { status: 200, body: ['{"error":{"code":"insufficient_quota","message":"quota"}}'] }],
  ])('of all (%s) stops the target after a few requests', async (_, answer) => {
    const { stops, sent } = await run(() => answer);
    expect(sent.length).toBeLessThanOrEqual(9);
    expect(stops).toContainEqual(expect.objectContaining({ target: 't', model: null, kind: 'quota' }));
  });

  test('of all in the middle of a run stops the target, and says which model confirmed it', async () => {
    const { stops, sent, unmeasured } = await run((_, count) => (count > 100 ? unpaid : {}));
    expect(sent.length).toBeLessThanOrEqual(100 + 10);
    const whole = stops.find(({ model }) => model === null);
    expect(whole).toMatchObject({ target: 't', kind: 'quota', detail: 'HTTP 402: Insufficient credits' });
    expect(whole).toHaveProperty('confirmed_by');
    expect(unmeasured.length).toBeGreaterThan(50);
  });

  test('concerns its model alone on the embedded service, whose models are accounts of their own', async () => {
    const { unmeasured, stops } = await run(
      ({ body }) => (['m3', 'm4', 'm5', 'm6'].includes(modelOf(body)) ? unpaid : {}),
      ['t'],
      [],
      true,
    );
    expect(unmeasured).toHaveLength(4 * cellsEach);
    expect(stops.map(({ model }) => model)).toEqual(['t/m3', 't/m4', 't/m5', 't/m6']);
  });

  test('stops every target that shares the key', async () => {
    const { stops, sent } = await run(() => unpaid, ['t', 'u']);
    expect(sent.length).toBeLessThanOrEqual(9);
    expect(
      stops
        .filter(({ model }) => model === null)
        .map(({ target }) => target)
        .sort(),
    ).toEqual(['t', 'u']);
  });

  test('is asked again when the run is resumed after a top-up, and judged again the same', async () => {
    const first = await run((_, count) => (count > 30 ? unpaid : {}));
    expect(first.unmeasured.length).toBeGreaterThan(50);
    const second = await run(() => ({}), ['t'], first.lines);
    // Trials that had already ended with the refusal stay as they were.
    expect(second.unmeasured.length).toBeLessThanOrEqual(4);
    expect(second.events.filter(({ type }) => type === 'model')).toHaveLength(12);

    for (const { lines, options, plan, events } of [first, second]) {
      const recorded = lines.filter((line, index) => line.type !== 'run_finished' || index === lines.length - 1);
      const again = await eventsOf(replay(recorded, { ...options, plan, targets: [aTarget('t')] }));
      const judged = Object.entries(findingsIn(again)).sort();
      const live = Object.entries(findingsIn(events)).sort();
      expect(judged.map(([key, { verdict }]) => [key, verdict])).toEqual(
        live.map(([key, { verdict }]) => [key, verdict]),
      );
      const exchanges = (all: typeof again): number => all.filter(({ type }) => type === 'exchange').length;
      expect(exchanges(again)).toBe(exchanges(events));
    }
  });
});
