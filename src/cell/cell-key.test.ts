import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellKey, parseCellKey, splitAtModel, withoutModel, withoutPoint } from './cell-key.js';

const label = fc.stringMatching(/^[A-Za-z0-9_.+=-]{1,8}$/);
const pair = fc.tuple(fc.stringMatching(/^[a-z][a-z_]{0,6}$/), label);
const pairsOfAxes = fc.uniqueArray(pair, { selector: ([name]) => name, maxLength: 4 });
const modelId = fc.constantFrom('m', 'org/m', '@cf/m[x]@y');

test('a key is parsed into the parts it was built from', () => {
  fc.assert(
    fc.property(pairsOfAxes, modelId, (pairs, id) => {
      const key = cellKey('suite/probe-1', pairs, `demo/${id}`);
      expect(parseCellKey(key)).toEqual({
        suite: 'suite',
        probe: 'probe-1',
        point: Object.fromEntries(pairs),
        target: 'demo',
        model: id,
      });
      expect(splitAtModel(key).model).toBe(`demo/${id}`);
      expect(`${withoutModel(key)}@demo/${id}`).toBe(key);
      expect(withoutPoint(withoutModel(key))).toBe('suite/probe-1');
    }),
  );
});

test.each(['', 'suite', 'suite/probe', 'suite/probe@demo', 'suite/probe[@demo/m', '/probe@demo/m', '@demo/m'])(
  '%j is not a cell key',
  (text) => expect(parseCellKey(text)).toBeNull(),
);

test('a pattern may leave the model out', () =>
  expect(splitAtModel('core/*')).toEqual({ head: 'core/*', model: null }));
