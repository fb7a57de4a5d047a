import { expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import { driveOptions, eventsOf, fakeTarget, plainTrial, runTicket } from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { Trial } from '../decide/course.js';
import { drive } from './drive.js';

test('of each model ten trials wait for their turn, however many cells are open', async () => {
  const [models, cells, concurrency] = [4, 60, 20];
  const clock = createVirtualClock();
  const { target, seen, most } = fakeTarget(
    aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency } }),
    clock,
  );
  const tickets = Array.from({ length: models }, (_, model) => aModel(`t/m${model}`)).flatMap((model) =>
    Array.from({ length: cells }, (_, cell) => runTicket(model, `c${cell}`, 12)),
  );
  let begun = 0;
  let mostWaiting = 0;
  const trial: Trial = function* (ticket, ask) {
    begun += 1;
    // Opening controls were sent, too.
    mostWaiting = Math.max(mostWaiting, begun + models - seen.length);
    return yield* plainTrial()(ticket, ask);
  };
  await clock.runUntil(eventsOf(drive(driveOptions(aPlan(tickets), [target], clock, { trial }))));
  expect(seen.length).toBe(models * (cells * 12 + 1));
  expect(most.inFlight).toBe(concurrency);
  expect(mostWaiting).toBeLessThanOrEqual(models * 10 + concurrency);
});
