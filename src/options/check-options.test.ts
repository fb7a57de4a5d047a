import { expect, test } from 'vitest';
import { checkOptions } from './check-options.js';
import { listOfTexts } from './kinds.js';

test('a text in place of a list of texts is told how to be one', () => {
  const check = () => checkOptions('`conformance`', { models: 'sim-reference' }, { models: listOfTexts });
  expect(check).toThrow(
    new TypeError("`conformance`: \"models\" must be a list of texts, such as ['a', 'b'], not a long text"),
  );
});
