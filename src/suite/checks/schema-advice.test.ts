import { describe, expect, test } from 'vitest';
import type { Json } from '../../json/json.js';
import { schemaAdvice } from './check-schemas.js';

const object = { type: 'object', properties: { n: { type: 'integer' } } };

describe('what is probably no JSON Schema', () => {
  test.each<[string, Json]>([
    ['a config', { targets: { demo: {} }, suites: [] }],
    ['data', { customer: 'Li Lei', total: 897 }],
    ['data with a title and a format', { title: 'Order', format: 'shop/1', total: 897 }],
    ['the envelope of a request', { name: 'order', strict: true, schema: object }],
    ['a function', { name: 'order', description: 'Orders.', parameters: object }],
    ['a response_format', { kind: 'json_schema', json_schema: { name: 'a', schema: object } }],
    ['an OpenAPI document', { openapi: '3.1.0', components: { schemas: { Order: object } } }],
  ])('%s', (_, data) => {
    const advice = [...schemaAdvice(data)];
    expect(advice).toHaveLength(1);
    expect(advice).toMatchObject([{ below: [], mistake: true }]);
  });

  test.each<Json>([
    {},
    true,
    object,
    { $ref: '#/$defs/a', $defs: { a: {} } },
    { enum: [1], shop: 1 },
    { 'x-note': 'anything' },
    { title: 'Anything', description: 'Any value.' },
  ])('%j may be one', (schema) => {
    expect([...schemaAdvice(schema)].filter(({ mistake }) => mistake)).toEqual([]);
  });
});
