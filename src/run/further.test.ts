import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import {
  type Answering,
  driveOptions,
  eventsOf,
  fakeTarget,
  findingsIn,
  runTicket,
} from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import { drive } from './drive.js';
import { type DriveOptions } from './drive-options.js';
import type { RunEvent } from '../journal/event.js';

const model = aModel('t/m');
const planned = runTicket(model, 'a');
const [second, third] = ['b', 'c'].map((name) => runTicket(model, name));

type Further = NonNullable<DriveOptions['further']>;

async function run(further: Further, answer: Answering = () => ({}), changes: Partial<DriveOptions> = {}) {
  const clock = createVirtualClock();
  const fake = fakeTarget(aTarget('t', { baseUrl: 'http://fake/v1' }), clock, answer);
  const options = driveOptions(aPlan([planned]), [fake.target], clock, { further, ...changes });
  const events = await clock.runUntil(eventsOf(drive(options)));
  return { seen: fake.seen, events, findings: findingsIn(events) };
}

const asked = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'further' ? event.cells : []));

/** One more cell as long as there are any: the second after the first, the third after the second. */
const oneByOne: Further = (_, findings) => [second!, third!].filter(({ cell }) => !findings.has(cell.key)).slice(0, 1);

describe('what is asked beyond the plan', () => {
  test('comes after the planned cells, and again after its own findings', async () => {
    const { events, findings } = await run(oneByOne);
    expect(asked(events)).toEqual(['s/b@t/m', 's/c@t/m']);
    expect(Object.keys(findings)).toEqual(['s/a@t/m', 's/b@t/m', 's/c@t/m']);
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', requests: 4 });
  });

  test('gets the concluded findings of its own model', async () => {
    let verdict: unknown = null;
    await run(
      (name, findings) => {
        if (name === model.key) verdict = findings.get(planned.cell.key)?.verdict;
        return [];
      },
      ({ body }) => (JSON.stringify(body).includes('control') ? {} : { status: 400 }),
    );
    expect(verdict).toBe('fail');
  });

  test('is never missing: when nothing more is sent, its cells are not reported', async () => {
    const budget = { requests: 2, tokens: null, cost: null };
    const { seen, findings } = await run(oneByOne, () => ({}), { budget });
    expect(seen).toHaveLength(2);
    expect(Object.keys(findings)).toEqual(['s/a@t/m']);
  });
});
