import { expect, test } from 'vitest';
import type { RunSummary } from './run-summary.js';
import { sinceWhen } from './since.js';

const runs = (...times: readonly string[]) =>
  times.map((at) => ({ run: { started_at: `2026-11-${at}:00.000Z` } }) as RunSummary);
const from = (index: number, all: readonly RunSummary[]) => sinceWhen(all, (run) => all.indexOf(run) >= index);

test('knows whether another run began on the day on which it began', () => {
  const all = runs('19T03:00', '20T16:20', '20T16:31', '21T03:00');
  expect(from(2, all)).toEqual({ at: '2026-11-20T16:31:00.000Z', runs: 3, open: false, severalThatDay: true });
  expect(from(3, all)).toEqual({ at: '2026-11-21T03:00:00.000Z', runs: 2, open: false });
  expect(from(4, all)).toEqual({ at: null, runs: 1, open: false });
});

test('knows whether the run itself began on the day on which it began', () => {
  const all = runs('20T03:00', '21T10:00');
  const today = all.map((run, index) => (index === 1 ? { ...run, sameDay: true as const } : run));
  expect(from(1, today)).toMatchObject({ at: '2026-11-21T10:00:00.000Z', severalThatDay: true });
  expect(from(0, today)).not.toHaveProperty('severalThatDay');
});
