import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern } from '../cell/cell-pattern.js';
import type { Baseline, BaselineEntry, Cover } from './entries.js';
import { expectedOf, modelsNamedBy } from './expected.js';

const cover = (cells: string, trials: number | null = 12): Cover => ({ cells, trials });
const withCovers = (...covers: readonly Cover[]): Baseline => ({ file: '', covers, expect: [] });
const entry = (key: string, more: Partial<BaselineEntry> = {}): BaselineEntry => ({
  ...{ key, verdict: 'fail', class: 'not_json', reason: null, status: 200, passed: null, total: null },
  ...{ date: '2026-01-01', note: null, link: null, provisional: false, threshold: null, ...more },
});

describe('from how many trials a cell is known', () => {
  const trialsOf = (baseline: Baseline, key: string) => {
    const expected = expectedOf(baseline, key);
    return expected.kind === 'new' ? 'new' : (expected.trials ?? 'not stated');
  };
  const covers = [cover('*@t/m', 2), cover('a/p@t/m', 5), cover('a/p[x=1]@t/m', 12), cover('old/*', null)];

  test.each<[string, number | string]>([
    ['b/q@t/m', 2],
    ['a/p[x=2]@t/m', 5],
    ['a/p[x=1]@t/m', 12],
    ['old/q@t/m', 'not stated'],
    ['old/q@t/n', 'not stated'],
    ['a/p@t/n', 'new'],
  ])('%s: %s', (key, expected) => expect(trialsOf(withCovers(...covers), key)).toBe(expected));

  test('of its own accord, a run asks cells of which the line of their probe says nothing', () => {
    const kind = (key: string) =>
      expectedOf(withCovers(cover('a/p@t/m'), cover('a/p[x=1]@t/m'), cover('*@t/n')), key, true).kind;
    expect(['a/p[x=1]@t/m', 'a/p[x=2]@t/m', 'a/p[x=2]@t/n'].map(kind)).toEqual(['pass', 'new', 'pass']);
  });

  test.each<[string, Partial<BaselineEntry>, number | string]>([
    ['an entry that counts its trials', { verdict: 'flaky', passed: 14, total: 20 }, 20],
    ['a provisional one that does not', { provisional: true }, 5],
    ['one that is not provisional', {}, 'not stated'],
  ])('%s', (_, more, expected) =>
    expect(trialsOf({ file: '', covers, expect: [entry('a/p@t/m', more)] }, 'a/p@t/m')).toBe(expected),
  );

  test('a provisional entry that nothing covers rests on at least one trial', () =>
    expect(trialsOf({ file: '', covers: [], expect: [entry('a/p@t/m', { provisional: true })] }, 'a/p@t/m')).toBe(1));
});

test('finds what trying every pattern would find', () => {
  const part = fc.constantFrom('a/p', 'a/p[x=1]', 'a/*', '*', 'a/p[x=*]', 'b/p', '*p');
  const model = fc.constantFrom('@t/m', '@t/n', '@t/*', '@*', '', '@*/m');
  const pattern = fc.tuple(part, model).map(([head, of]) => `${head}${of}`);
  const anyCover = fc.record({ cells: pattern, trials: fc.option(fc.integer({ min: 1, max: 20 })) });
  const key = fc.constantFrom('a/p@t/m', 'a/p[x=1]@t/m', 'a/p[x=2]@t/n', 'b/p@t/n', 'b/q@u/m');
  fc.assert(
    fc.property(fc.array(anyCover, { maxLength: 6 }), key, (covers, cell) => {
      const numbers = covers.filter(({ cells }) => compilePattern(cells)(cell)).map(({ trials }) => trials);
      const most = numbers.includes(null) ? {} : { trials: Math.max(...numbers.map(Number)) };
      expect(expectedOf(withCovers(...covers), cell)).toEqual(
        numbers.length === 0 ? { kind: 'new' } : { kind: 'pass', threshold: null, ...most },
      );
    }),
    { numRuns: 2000 },
  );
});

describe('modelsNamedBy', () => {
  const named = modelsNamedBy({
    file: '',
    covers: [cover('a/p@t/one'), cover('*@u/*', null)],
    expect: [entry('a/p@t/two')],
    thresholds: [{ key: 'a/p@t/three', value: 1, date: '2026-01-01', note: null, link: null }],
    wire: [{ model: 't/five', quirks: [], only: {}, sometimes: [] }],
  });
  test.each<[string, boolean]>([
    ['t/one', true],
    ['t/two', true],
    ['t/three', true],
    ['u/any', false],
    ['t/five', true],
    ['t/four', false],
  ])('%s: %s', (model, expected) => expect(named(model)).toBe(expected));

  test('a pattern without a model names none', () =>
    expect(modelsNamedBy(withCovers(cover('a/p')))('t/m')).toBe(false));
  test('nothing is known without a baseline', () => expect(modelsNamedBy(null)('t/m')).toBe(false));
});
