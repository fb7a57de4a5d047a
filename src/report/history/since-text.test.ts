import { describe, expect, test } from 'vitest';
import type { Since } from './since.js';
import { amongText, pastText, sinceAmong, sinceText } from './since-text.js';

const at = '2026-11-20T03:00:00.000Z';

test.each<readonly [Since, string]>([
  [{ at, runs: 3, open: false }, 'since the run of 2026-11-20 (3 runs)'],
  [{ at, runs: 1, open: false }, 'since this run'],
  [{ at, runs: 5, open: true }, 'since the run of 2026-11-20, the first that is known (5 runs)'],
  [{ at, runs: 1, open: true }, 'since this run, the first that is known'],
  [{ at: null, runs: 4, open: false }, 'for 4 runs in a row'],
])('%j is told with the date and the number of runs', (since, text) => {
  expect(sinceText(since)).toBe(text);
});

test('a day of several runs is told with the time', () => {
  const several: Since = { at, runs: 2, open: false, severalThatDay: true };
  expect(sinceText(several)).toBe('since the run of 2026-11-20, 03:00 UTC (2 runs)');
  expect(sinceText({ ...several, open: true })).toBe(
    'since the run of 2026-11-20, 03:00 UTC, the first that is known (2 runs)',
  );
});

test('what passed last is told beside', () => {
  const lastPassed = { at: '2026-11-19T03:00:00.000Z' };
  expect(pastText({ since: { at, runs: 2, open: false }, lastPassed })).toBe(
    'since the run of 2026-11-20 (2 runs), passed last on 2026-11-19',
  );
  expect(pastText({ since: null, lastPassed })).toBe('passed last on 2026-11-19');
  expect(pastText({ since: null, lastPassed: { ...lastPassed, severalThatDay: true } })).toBe(
    'passed last on 2026-11-19, 03:00 UTC',
  );
  expect(pastText({ since: null, lastPassed: null })).toBe('');
});

describe('of several', () => {
  const text = (all: readonly Since[]) => amongText(sinceAmong(all)!);
  const now: Since = { at: null, runs: 1, open: false };
  const old: Since = { at, runs: 3, open: false };
  test('the first one counts', () => {
    expect(text([old, old])).toBe('since the run of 2026-11-20 (3 runs)');
    expect(text([now, old])).toBe('the first of them since the run of 2026-11-20 (3 runs)');
  });
  test('nothing is said of what this run alone shows', () => {
    expect(sinceAmong([now, now])).toBeNull();
    expect(sinceAmong([])).toBeNull();
  });
});
