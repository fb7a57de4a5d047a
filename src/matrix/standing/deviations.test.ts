import { expect, test } from 'vitest';
import { readDeviationId } from './deviations.js';

test.each([
  ['gone demo/vendor/a', 'gone', 'demo/vendor/a', 'demo/vendor/a'],
  ['wire id_missing@demo/vendor/a', 'wire', 'id_missing@demo/vendor/a', 'demo/vendor/a'],
  ['regression s/p[x=gone]@demo/a', 'regression', 's/p[x=gone]@demo/a', 'demo/a'],
  ['new s/p@demo/a', 'new', 's/p@demo/a', 'demo/a'],
  ['wire id_missing', 'wire', 'id_missing', 'id_missing'],
])('%s is read again', (id, kind, subject, model) => {
  expect(readDeviationId(id)).toEqual({ kind, subject, model });
});

test.each(['', 'gone', 'lost s/p@demo/a', 'Gone demo/a'])('"%s" names no deviation', (id) => {
  expect(readDeviationId(id)).toBeNull();
});
