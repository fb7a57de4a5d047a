import { describe, expect, test } from 'vitest';
import { aModel, aPlan, aProbe, aTarget } from '../../test/support/build.js';
import { fakeTarget, aCellToRun } from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { RunEvent } from '../journal/event.js';
import { executePlan, type RunReporter } from './execute-plan.js';

const request = { messages: [{ role: 'user', content: 'hello' }] };
const probe = aProbe('s/a', { steps: [{ kind: 'ask', id: 'request', request, expect: {} }] });

function setup(trials = 2) {
  const clock = createVirtualClock();
  const fake = fakeTarget(aTarget('t', { baseUrl: 'http://fake/v1' }), clock);
  const plan = aPlan([aCellToRun(aModel('t/m'), 'a', trials, { probe })]);
  const execute = (reporters: readonly RunReporter[]): Promise<void> =>
    clock.runUntil(executePlan(plan, { targets: new Map([['t', fake.target]]), clock, reporters }));
  return { clock, fake, execute };
}

describe('a plan that is executed', () => {
  test('hands every event to every reporter, in order, and ends each once', async () => {
    const { execute } = setup();
    const types: string[][] = [[], []];
    const reporters = types.map((list): RunReporter => ({
      onEvent: ({ type }) => void list.push(type),
      onEnd: () => void list.push('end'),
    }));
    await execute(reporters);
    expect(types[0]).toEqual(types[1]);
    expect(types[0]?.[0]).toBe('run_started');
    expect(types[0]?.slice(-2)).toEqual(['run_finished', 'end']);
    expect(types[0]?.filter((type) => type === 'trial')).toHaveLength(2);
  });

  test('waits for a reporter that returns a promise', async () => {
    const { clock, execute } = setup();
    let busy = 0;
    let most = 0;
    await execute([
      {
        async onEvent() {
          most = Math.max(most, (busy += 1));
          await clock.sleep(1000);
          busy -= 1;
        },
      },
    ]);
    expect(most).toBe(1);
  });

  test('fails with the error of a reporter that throws, and still ends all reporters', async () => {
    const { fake, execute } = setup(20);
    const ended: string[] = [];
    const broken: RunReporter = {
      onEvent({ type }: RunEvent) {
        if (type === 'exchange') throw new Error('the reporter is broken');
      },
      onEnd: () => void ended.push('broken'),
    };
    const other: RunReporter = { onEvent: () => undefined, onEnd: () => void ended.push('other') };
    await expect(execute([broken, other])).rejects.toThrow('the reporter is broken');
    expect(ended).toEqual(['broken', 'other']);
    expect(fake.seen.length).toBeLessThan(20);
  });

  test('names itself, with an id of its own for each run', async () => {
    const { execute } = setup();
    const started: Extract<RunEvent, { type: 'run_started' }>[] = [];
    const reporter: RunReporter = {
      onEvent(event) {
        if (event.type === 'run_started') started.push(event);
      },
    };
    await execute([reporter]);
    await execute([reporter]);
    expect(started[0]).toMatchObject({ tool: { name: 'chatspec' }, shard: null });
    expect(new Set(started.map(({ run }) => run)).size).toBe(2);
  });
});
