import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import type { ReportCell } from '../../matrix/report-format.js';
import type { RunSummary } from '../../matrix/run-summary.js';
import { acceptedAfter, modelStrip, runMark, stripOf } from './strip.js';

const runs = ['2026-11-17', '2026-11-18', '2026-11-19'].map((day) => ({
  run: { started_at: `${day}T02:00:00.000Z` } as unknown as Parameters<typeof acceptedAfter>[1][number]['run'],
}));
const acceptedOn = (...dates: readonly (string | null)[]) =>
  dates.map((date) => aReportCell({ expected: { date } as unknown as ReportCell['expected'] }));

test.each([
  ['the day of a run', ['2026-11-17'], [[0, '2026-11-17']]],
  ['the day after the last', ['2026-11-25'], [[2, '2026-11-25']]],
  ['a day before the first', ['2026-11-16'], []],
  ['no day that is known', [null], []],
  [
    'two days',
    ['2026-11-18', '2026-11-17', '2026-11-18'],
    [
      [0, '2026-11-17'],
      [1, '2026-11-18'],
    ],
  ],
] as const)('a baseline accepted on %s stands behind the last run up to it', (_, dates, lines) => {
  expect([...acceptedAfter(acceptedOn(...dates), runs)]).toEqual(lines);
});

const summary = (changes: Partial<Record<keyof RunSummary, unknown>>) =>
  ({
    run: { started_at: 'now' },
    exit_code: 0,
    models: { 't/m': { reachable: true } },
    cells: {},
    ...changes,
  }) as RunSummary;
const fine = summary({ cells: { 'a@t/m': 'pass 1/1', 'b@t/m': 'pass 1/1' } });

test.each([
  [0, 'good'],
  [1, 'bad'],
  [3, 'mixed'],
  [130, 'mixed'],
  [null, 'none'],
] as const)('a run that ended with %s is %s', (exit, tone) => {
  expect(runMark(summary({ exit_code: exit }))).toEqual({ tone, at: 'now' });
});

test.each([
  [[], 'good'],
  [['improvement a@t/m'], 'good'],
  [['improvement a@t/m', 'regression b@t/m'], 'bad'],
  [['regression b@t/other'], 'good'],
  [['gone t/m'], 'gone'],
])('a model with %j is %s', (deviating, tone) => {
  expect(modelStrip([fine, summary({ deviating })], 't/m', 6).map((mark) => mark.tone)).toEqual(['good', tone]);
});

test.each([
  ['of which it asked all', { run: { partial: true, started_at: 'now' }, cells: fine.cells }, 'good'],
  ['of which it asked a part', { run: { partial: true, started_at: 'now' }, cells: { 'a@t/m': 'pass 1/1' } }, 'none'],
  ['in a whole run that has a part of them', { cells: { 'a@t/m': 'pass 1/1' } }, 'good'],
  ['that fail', { cells: { 'a@t/m': 'fail 0/1' } }, 'bad'],
  ['of which one fails', { cells: { 'a@t/m': 'fail 0/1', 'b@t/m': 'pass 1/1' } }, 'mixed'],
])('a run speaks for cells %s', (_name, run, tone) => {
  const marks = stripOf([fine, summary(run)], { models: ['t/m'], cells: ['a@t/m', 'b@t/m'] });
  expect(marks.map((mark) => mark.tone)).toEqual(['good', tone]);
});

test('one run is no strip, and two are', () => {
  const of = { models: ['t/m'], cells: ['a@t/m'] };
  expect(stripOf([fine], of)).toEqual([]);
  expect(stripOf([fine, fine], of)).toHaveLength(2);
});
