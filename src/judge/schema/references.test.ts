import { expect, test } from 'vitest';
import { readSchema } from './read-schema.js';

test.each([
  [{ $ref: '#' }, []],
  [{ allOf: [{ $ref: '#' }] }, ['allOf', '0']],
  [{ $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } }, ['$defs', 'b']],
  [{ properties: { a: { not: { $ref: '#/properties/a' } } } }, ['properties', 'a', 'not']],
])('%j leads back to itself without end', (schema, at) => {
  expect(readSchema(schema)).toMatchObject({ kind: 'fault', endless: { at } });
});

test.each([
  { properties: { a: { $ref: '#' } } },
  { type: 'array', items: { $ref: '#' } },
  { $ref: '#/$defs/a', $defs: { a: { additionalProperties: { $ref: '#/$defs/a' } } } },
  { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: { type: 'object' } } },
  { meta: { $ref: '#/nope' }, 'x-y': { $ref: 'http://[' }, type: 'object' },
  { components: { a: { type: 'string' } }, $ref: '#/components/a' },
  { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, type: 'object' },
])('%j can be used', (schema) => {
  expect(readSchema(schema).kind).toBe('read');
});
