import { expect, test } from 'vitest';
import { checkOptions } from './check-options.js';
import { anObject, aText, texts } from './kinds.js';

const check = (options: object) => () =>
  checkOptions('`conformance`', options, { models: texts, env: anObject, out: aText });

test('a text in place of a list of texts is told how to be one', () => {
  expect(check({ models: 'sim-reference' })).toThrow(
    new TypeError('`conformance`: "models" must be a list of texts, not a single text: write models: [\'...\']'),
  );
});

test('what came is told by its kind, without its value where that may be a key', () => {
  expect(check({ env: 'x'.repeat(30) })).toThrow('not a text of 30 characters');
  expect(check({ out: new Map() })).toThrow('not an object of class Map');
  expect(check({ out: { path: 'a', ['k'.repeat(40)]: 1 } })).toThrow(`not an object with path, ${'k'.repeat(20)}`);
  expect(check({ models: [1] })).toThrow('not a list');
});
