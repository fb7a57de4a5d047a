import { expect, test } from 'vitest';
import { checkOptions } from './check-options.js';
import { checkFirst } from './first-argument.js';
import { texts } from './kinds.js';

test('a text in place of a list of texts is told how to be one', () => {
  const check = () => checkOptions('`conformance`', { models: 'sim-reference' }, { models: texts });
  expect(check).toThrow(
    new TypeError("`conformance`: \"models\" must be a list of texts, such as ['a', 'b'], not a long text"),
  );
});

test('a first argument is told without its value where that may be a key', () => {
  const check = (given: unknown) => () => checkFirst('judge', given, { words: 'an answer', type: () => false });
  expect(check('x'.repeat(30))).toThrow('not a long text');
  expect(check([1])).toThrow('not a list');
  expect(check(null)).toThrow('not null');
});
