import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonOddities } from './wrapped-json.js';

test.each<readonly [string, readonly string[]]>([
  ['{"a":1,"b":{"a":2}}', []],
  ['{"a":1,"a":2}', ['duplicate_keys']],
  ['{"a":1,"\\u0061":2}', ['duplicate_keys']],
  ['[{"x":{"a":1,"b":":","a":[]}}]', ['duplicate_keys']],
  ['{"a":"b\\":\\"c","b":":"}', []],
  ['{"n":9007199254740993}', ['integer_beyond_2_53']],
  ['{"n":9007199254740991,"m":"1e400","k":1e300,"l":0.12345678901234567}', []],
  ['{"n":1e400}', ['integer_beyond_2_53']],
  ['[-12.5E+309]', ['integer_beyond_2_53']],
  [`{"n":${'9'.repeat(310)}.5}`, ['integer_beyond_2_53']],
  ['{"n":1e-400}', []],
  ['[1,"9007199254740993",{"a":-9007199254740993,"a":1}]', ['integer_beyond_2_53', 'duplicate_keys']],
  ['{"__proto__":1,"constructor":2}', []],
  ['"a"', []],
])('%s', (text, found) => {
  expect([...jsonOddities(text)].sort()).toEqual([...found].sort());
});

test('what JSON.stringify writes has none', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      const found = jsonOddities(text);
      return !found.includes('duplicate_keys');
    }),
    { numRuns: 200 },
  );
});
