import { describe, expect, test } from 'vitest';
import type { Json } from '../../../json/json.js';
import { noSchema } from './no-schema.js';
import { isNearKeyword, schemaAdvice } from './schema-advice.js';

const object = { type: 'object', properties: { n: { type: 'integer' } } };

describe('what is probably no JSON Schema', () => {
  test.each<[string, Json, RegExp]>([
    ['a config', { targets: { demo: {} }, suites: [] }, /a JSON Schema begins like/],
    ['data', { customer: 'Li Lei', total: 897 }, /a JSON Schema begins like/],
    ['data with a title and a format', { title: 'Order', format: 'shop/1', total: 897 }, /a JSON Schema begins like/],
    ['the envelope of a request', { name: 'order', strict: true, schema: object }, /"schema"/],
    ['a function', { name: 'order', description: 'Orders.', parameters: object }, /"parameters"/],
    ['a response_format', { kind: 'json_schema', json_schema: { name: 'a', schema: object } }, /"json_schema\.schema"/],
    [
      'an OpenAPI document',
      { openapi: '3.1.0', components: { schemas: { Order: object } } },
      /"components\.schemas\.Order"/,
    ],
  ])('%s', (_, data, hint) => {
    expect(noSchema(data, isNearKeyword)?.message).toMatch(
      /^this is probably not a JSON Schema: it has none of its keywords/,
    );
    expect(noSchema(data, isNearKeyword)?.hint).toMatch(hint);
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
    { propertis: {} },
  ])('%j may be one', (schema) => {
    expect(noSchema(schema, isNearKeyword)).toBe(null);
  });
});
