import { expect, test } from 'vitest';
import { chosenIds, fitsListed } from './listed-models.js';

test.each<[readonly string[], string, boolean]>([
  [['vendor/*'], 'vendor/a', true],
  [['vendor/*'], 'other/a', false],
  [['vendor/*', '!*-embed*'], 'vendor/text-embed-3', false],
  [['!*-embed*', 'vendor/*'], 'vendor/text-embed-3', false],
  [['!*-embed*'], 'other/a', true],
  [['a', 'b*'], 'b', true],
  [['a.c'], 'abc', false],
  [['*'], 'a/b/c', true],
])('%j takes %s: %s', (patterns, id, fits) => {
  expect(fitsListed({ patterns }, id)).toBe(fits);
});

test('known models come first, also those that are not listed any more', () => {
  const listed = { patterns: ['v/*'], atMost: 3 };
  expect(chosenIds(listed, ['v/new', 'x/y', 'v/b', 'v/c'], ['v/b', 'v/gone'])).toEqual({
    ids: ['v/b', 'v/gone', 'v/new'],
    left: 1,
  });
  expect(chosenIds({ ...listed, atMost: 4 }, ['v/new', 'v/b', 'v/c'], ['v/b', 'v/gone']).left).toBe(0);
  expect(chosenIds({ ...listed, atMost: null }, ['v/a', 'v/a'], []).ids).toEqual(['v/a']);
});
