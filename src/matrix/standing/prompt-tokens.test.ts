import { describe, expect, test } from 'vitest';
import type { CountedRequest, ModelBefore } from '../../journal/event.js';
import { countedNext, promptTokens } from './prompt-tokens.js';

const saturday = '2026-11-21T03:00:00.000Z';
const sunday = '2026-11-22T03:00:00.000Z';

type Counted = Omit<CountedRequest, 'at'>;
const one = (request: string, counts: readonly number[], more: Partial<Counted> = {}): Counted => ({
  ...{ request, cell: `suite/${request}`, prompt_tokens: counts },
  ...more,
});
const before = (requests: readonly Counted[], more: Partial<ModelBefore> = {}): ModelBefore => ({
  ...{ served: [], fingerprints: [], requests: requests.map((counted) => ({ ...counted, at: saturday })) },
  ...more,
});
const compared = (then: readonly Counted[], now: readonly Counted[]) => promptTokens(before(then), now, sunday);

test('identical requests that count other prompt tokens are a change, with an example', () => {
  expect(
    compared([one('a', [57]), one('b', [100]), one('c', [30])], [one('b', [140]), one('a', [80]), one('c', [30])]),
  ).toEqual({
    change: {
      ...{ of: 3, requests: 2, before: 157, now: 220, since: saturday },
      example: { cell: 'suite/a', before: 57, now: 80 },
    },
  });
});

describe('no change', () => {
  test.each<readonly [string, readonly Counted[], readonly Counted[]]>([
    ['the same counts', [one('a', [57])], [one('a', [57])]],
    ['other requests', [one('a', [57])], [one('b', [80])]],
    ['a date in the template', [one('a', [57])], [one('a', [60])]],
    ['what a cache held is left out of the count', [one('a', [57])], [one('a', [9], { with_cached: [57] })]],
    ['the same, the other way round', [one('a', [9], { with_cached: [57] })], [one('a', [57])]],
    ['one of the counts that it had', [one('a', [57, 80])], [one('a', [80])]],
    ['nothing was remembered', [], [one('a', [57])]],
    ['nothing is counted', [one('a', [57])], []],
  ])('%s', (_what, then, now) => {
    expect(compared(then, now)).toEqual({});
  });
});

test('identical requests that count differently within a run are told, and nothing has changed', () => {
  expect(compared([one('a', [57])], [one('a', [90]), one('b', [57, 80])])).toEqual({
    vary: { of: 2, requests: 1, example: { cell: 'suite/b', counts: [57, 80] } },
  });
  expect(compared([], [one('b', [57, 58])])).toEqual({});
  expect(compared([], [one('b', [9, 57], { with_cached: [57] })])).toEqual({});
});

test('a change stays news for a week, and until another one', () => {
  const { change } = compared([one('a', [57])], [one('a', [80])]);
  const then = before([one('a', [80])], { prompt_change: { ...change!, at: sunday } });
  const on = (day: string, count: number) => promptTokens(then, [one('a', [count])], `2026-11-${day}T03:00:00.000Z`);
  expect(on('23', 80)).toEqual({ change: { ...change, at: sunday } });
  expect(on('29', 80)).toEqual({ change: { ...change, at: sunday } });
  expect(on('30', 80)).toEqual({});
  expect(on('23', 57).change).toMatchObject({ before: 80, now: 57 });
  expect(on('23', 57).change?.at).toBeUndefined();
});

test('the next run is told what this one sent, and what it did not send', () => {
  const then = before([one('a', [57]), one('z', [30])]);
  const next = countedNext(then, [one('b', [100]), one('z', [31])]);
  expect(next.map(({ request, prompt_tokens: counts, at }) => [request, counts, at])).toEqual([
    ['z', [31], undefined],
    ['b', [100], undefined],
    ['a', [57], saturday],
  ]);
  const many = Array.from({ length: 40 }, (_, at) => one(`r${at}`, [at]));
  expect(countedNext(before(many.slice(0, 20)), many.slice(10))).toHaveLength(24);
});
