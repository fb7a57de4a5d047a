import { expect, test } from 'vitest';
import { aReport } from '../../../test/support/build.js';
import { runFacts } from './run-facts.js';

function factsOf(changes: object): Record<string, string> {
  const { run } = aReport({});
  return Object.fromEntries(runFacts({ run: { ...run, ...changes } }).map(({ name, value }) => [name, value]));
}

test.each([
  ['2026-11-20T03:00:04.200Z', '4.2 s'],
  ['2026-11-20T03:12:10.000Z', '12 min'],
  ['2026-11-20T06:05:00.000Z', '3 h 5 min'],
  ['2026-11-20T02:00:00.000Z', undefined],
])('a run that ended at %s took %s', (finished, duration) => {
  expect(factsOf({ started_at: '2026-11-20T03:00:00.000Z', finished_at: finished })['Duration']).toBe(duration);
});

test('says what the run cost and what held it back', () => {
  const held = { concurrency: 2, requests_per_minute: 30 };
  const throttled = [{ target: 'real', requests: 100, refused: 7, statuses: [429], held }];
  expect(factsOf({ cost: 0.123456, throttled })).toMatchObject({
    Cost: '0.1235',
    'Held back': expect.stringContaining('real refused 7 of 100 requests for load (429)') as string,
  });
  expect(factsOf({ cost: null })).toMatchObject({
    Cost: 'not known, because no price is configured',
    'Held back': 'no target refused requests for load',
  });
});
