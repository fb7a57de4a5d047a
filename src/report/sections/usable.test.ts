import { expect, test } from 'vitest';
import type { Recommendation } from '../../matrix/report-format.js';
import type { Field, Matrix } from './matrix.js';
import type { Names } from './names.js';
import { usableOf } from './usable.js';

const field = (changes: Partial<Field> = {}): Field => ({
  verdict: 'pass',
  change: null,
  words: '',
  breaks: [],
  cells: ['a'],
  judged: 1,
  trials: { passed: 40, total: 40 },
  ...changes,
});
const advice = (changes: Partial<Recommendation> = {}): Recommendation => ({
  model: 'm',
  need: 'structured',
  form: 'json_schema',
  settings: {},
  trials: { passed: 10, total: 10, cells: 1 },
  because: '',
  alternatives: [],
  ...changes,
});
const names = { columns: [{ id: 'streaming', title: 'Streaming', families: ['streaming'] }] } as unknown as Names;

function shownFor(fields: readonly Field[], recommendations: readonly Recommendation[] = []) {
  const matrix: Matrix = {
    models: [{ id: 'm', name: 'm', note: null }],
    families: [
      {
        id: 'streaming',
        title: 'Streaming',
        rows: fields.map((one, at) => ({ capability: `streaming.${at}`, title: '', fields: [one] })),
      },
    ],
  };
  const [row] = usableOf(matrix, names, { recommendations }).rows;
  return row!.fields.map(({ state, sign, words }) => [state, sign, words].join(' ').trim());
}

test.each([
  ['ten trials', { trials: { passed: 10, total: 10, cells: 1 } }, 'reliable ✓ schema'],
  ['nine trials', { trials: { passed: 9, total: 9, cells: 1 } }, 'few 9 of 9 schema'],
  ['a failure', { trials: { passed: 9, total: 10, cells: 1 } }, 'conditions ◐ schema'],
  [
    'a cap that a smaller one showed',
    { settings: { max_tokens: '2048' }, conditions: ['max_tokens'] },
    'conditions ◐ schema, max_tokens ≥ 2048',
  ],
  ['a cap that nothing else was tried with', { settings: { max_tokens: '2048' }, conditions: [] }, 'reliable ✓ schema'],
  ['no way', { form: null }, 'unknown –'],
] as const)('a need that is known from %s', (_, changes, shown) => {
  expect(shownFor([], [advice(changes as Partial<Recommendation>)])).toContain(shown);
});

test.each([
  ['all measured', [field()], 'reliable ✓'],
  ['nine trials', [field({ trials: { passed: 9, total: 9 } })], 'few 9 of 9'],
  ['one of two cells', [field({ cells: ['a', 'b'] })], 'part ◔ 1 of 2 measured'],
  ['one of two capabilities', [field(), field({ verdict: 'inconclusive', judged: 0 })], 'part ◔ 1 of 2 measured'],
  ['a failure beside it', [field(), field({ verdict: 'fail' })], 'conditions ◐'],
  ['failures alone', [field({ verdict: 'fail' })], 'unusable ✗'],
  ['nothing', [field({ verdict: 'not_run', judged: 0 })], 'unknown –'],
] as const)('a column of which %s', (_, fields, shown) => {
  expect(shownFor(fields)).toContain(shown);
});
