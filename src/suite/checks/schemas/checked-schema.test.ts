import { expect, test } from 'vitest';
import type { Json } from '../../../json/json.js';
import { checkSchema } from '../../../judge/schema/conformance.js';
import { checkedSchema } from './check-schemas.js';

const tuple = { items: [{ type: 'string' }], additionalItems: false };
const draft07 = 'http://json-schema.org/draft-07/schema#';

test.each<readonly [string, Json, Json, boolean]>([
  ['a tuple in draft-07 that fits', { $schema: draft07, ...tuple }, ['a'], true],
  ['a tuple in draft-07 with an item too many', { $schema: draft07, ...tuple }, ['a', 1], false],
  ['prefixItems, which draft-07 does not know', { $schema: draft07, prefixItems: [{ type: 'string' }] }, [1], true],
  ['prefixItems in 2020-12', { prefixItems: [{ type: 'string' }] }, [1], false],
  ['a pattern that is not valid in Unicode mode', { pattern: '^[\\w\\-]+\\_$' }, 'a-b_', true],
])('a suite is checked as its answers are judged: %s', (_what, schema, value, conforms) => {
  const checked = checkedSchema(schema);
  expect(checked.ok && checked.accepts(value) === null).toBe(conforms);
  expect(checkSchema(value, schema).kind).toBe(conforms ? 'conforms' : 'violates');
});
