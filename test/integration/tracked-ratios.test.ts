import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareRatios, updatedRatios } from '../../bench/compare-ratios.js';
import { benchOf, type Better, measuredRatios, track } from '../../bench/tracked-ratios.js';

const measured = (ratio: number, better: Better = 'higher is better') => new Map([['judge/plain', { ratio, better }]]);
const problemsOf = (tracked: number, ratio: number, better?: Better) =>
  compareRatios({ 'judge/plain': tracked }, measured(ratio, better), ['judge']).problems;

describe('a ratio', () => {
  test.each([
    ['higher is better', 0.81],
    ['higher is better', 0.8],
    ['higher is better', 5],
    ['lower is better', 1.19],
    ['lower is better', 1.2],
    ['lower is better', 0.1],
  ] as const)('that was 1 passes when %s and it is %d', (better, now) => {
    expect(problemsOf(1, now, better)).toEqual([]);
  });

  test.each([
    ['higher is better', 0.79],
    ['lower is better', 1.21],
  ] as const)('that was 1 is lost when %s and it is %d', (better, now) => {
    expect(problemsOf(1, now, better)).toEqual([
      `judge/plain is 21 % worse: ${now}, tracked 1 (${better}; at most 20 % may be lost).`,
    ]);
  });

  test('that is tracked but was not measured is a problem', () => {
    const { rows, problems } = compareRatios({ 'judge/plain': 1, 'judge/gone': 2 }, measured(1), ['judge']);
    expect(problems).toEqual([
      'judge/gone is tracked, but the bench "judge" did not measure it: if it is gone on purpose, run that bench with --write.',
    ]);
    expect(rows).toEqual([
      ['judge/gone', '2', '', 'not measured'],
      ['judge/plain', '1', '1', '0 % better'],
    ]);
  });

  test('of a bench that did not run is not missed', () => {
    expect(compareRatios({ 'judge/plain': 1, 'peer/rate': 80 }, measured(1), ['judge']).problems).toEqual([]);
  });

  test('that is new is shown and no problem', () => {
    const { rows, problems } = compareRatios({}, measured(0.4321), ['judge']);
    expect(problems).toEqual([]);
    expect(rows).toEqual([['judge/plain', '', '0.432', 'new: --write tracks it']]);
  });
});

test('writing replaces the ratios of the benches that ran, keeps the others, and sorts', () => {
  const tracked = { 'start/list': 7, 'judge/gone': 1, 'judge/plain': 1, 'engine/cpu': 2 };
  expect(Object.entries(updatedRatios(tracked, measured(0.43219), ['judge']))).toEqual([
    ['engine/cpu', 2],
    ['judge/plain', 0.432],
    ['start/list', 7],
  ]);
});

test('a bench registers a ratio once, with a name that begins with the bench', () => {
  track('test/once', 1.5, 'lower is better');
  expect(measuredRatios().get('test/once')).toEqual({ ratio: 1.5, better: 'lower is better' });
  expect(() => track('test/once', 1.5, 'lower is better')).toThrow('tracked twice');
  expect(() => track('once', 1.5, 'lower is better')).toThrow('expected BENCH/WHAT');
  for (const ratio of [0, -1, Number.NaN, Infinity])
    expect(() => track('test/wrong', ratio, 'lower is better')).toThrow('not a positive number');
});

const root = new URL('../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('bench/ratios.json is sorted and formatted as --write leaves it', () => {
  const text = textOf('bench/ratios.json');
  const sorted = updatedRatios(JSON.parse(text) as Record<string, number>, new Map(), []);
  expect(text).toBe(`${JSON.stringify(sorted, null, 2)}\n`);
});

test('every tracked ratio belongs to a bench that there is', () => {
  for (const name of Object.keys(JSON.parse(textOf('bench/ratios.json')) as object))
    expect(() => textOf(`bench/${benchOf(name)}.ts`)).not.toThrow();
});

test.each([
  [['--check', '--write'], 'give one of the two'],
  [['nights', '--check'], '"nights" has no ratios'],
  [['--check', 'engine'], '"engine" after --check'],
  [['nigths'], 'unknown bench "nigths"'],
  [['engine', '--built'], '--built needs a folder'],
])('bench.mjs %j is a mistake, exit code 2', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bench.mjs', ...args], { cwd: root });
  expect(stderr.toString()).toContain(message);
  expect(status).toBe(2);
});
