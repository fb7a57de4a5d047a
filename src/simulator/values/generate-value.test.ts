import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../json/json.js';
import { nearestConforming, generateValue } from './generate-value.js';

/** Independent of the code under test. */
const ajv = new Ajv2020({ strict: false, logger: false });
function conforms(schema: Json, value: Json): boolean {
  return ajv.validate(schema as object, value);
}

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.tuple(fc.nat(6), fc.nat(6)).map(([a, b]) => ({ type: 'string', minLength: a, maxLength: a + b })),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(9))
    .map(([a, b]) => ({ type: 'integer', minimum: a, maximum: a + b })),
  fc
    .tuple(fc.integer({ min: -9, max: 9 }), fc.nat(9))
    .map(([a, b]) => ({ type: 'number', exclusiveMinimum: a, maximum: a + b + 1 })),
  fc.constantFrom<JsonObject>(
    { type: 'boolean' },
    { type: 'null' },
    { enum: ['red', 7, null] },
    { const: { a: [1] } },
    { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
    { type: ['string', 'null'] },
    { type: 'integer', multipleOf: 7, minimum: 1 },
  ),
);

const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('schema'), { maxKeys: 4 }), fc.boolean())
      .map(([properties, closed]): JsonObject => ({
        type: 'object',
        properties,
        required: Object.keys(properties),
        ...(closed && { additionalProperties: false }),
      })),
    fc.tuple(tie('schema'), fc.nat(3)).map(([items, minItems]): JsonObject => ({ type: 'array', items, minItems })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): JsonObject => ({ anyOf })),
    tie('schema').map((inner): JsonObject => ({ allOf: [inner] })),
  ),
}));

describe('generateValue', () => {
  test('makes a conforming value for any small schema, the same for the same seed', async () => {
    await fc.assert(
      fc.asyncProperty(anySchema, fc.nat(), async (schema, seed) => {
        const made = await generateValue(schema, seed);
        expect(made).not.toBeNull();
        expect(conforms(schema, made!.value)).toBe(true);
        expect(await generateValue(schema, seed)).toEqual(made);
      }),
      { numRuns: 80 },
    );
  });

  test.each<[string, JsonObject]>([
    ['not', { type: 'object', properties: { a: { not: { type: 'string' } } }, required: ['a'] }],
    [
      'not beside a type',
      { type: 'object', properties: { a: { type: 'string', not: { minLength: 4 } } }, required: ['a'] },
    ],
    [
      'if',
      {
        type: 'object',
        properties: { a: { const: 1 } },
        required: ['a'],
        if: { required: ['a'] },
        then: { required: ['b'] },
      },
    ],
    ['contains', { type: 'array', contains: { const: 'x' }, minContains: 2 }],
    ['uniqueItems', { type: 'array', items: { type: 'integer' }, minItems: 4, uniqueItems: true }],
    [
      'prefixItems',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
    ],
    ['dependentRequired', { type: 'object', required: ['a'], dependentRequired: { a: ['b'] } }],
    [
      'patternProperties',
      {
        type: 'object',
        patternProperties: { '^n_': { type: 'integer' } },
        required: ['n_1'],
        additionalProperties: false,
      },
    ],
    [
      '$ref',
      {
        $defs: {
          node: {
            type: 'object',
            properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
            required: ['next'],
          },
        },
        $ref: '#/$defs/node',
      },
    ],
    ['minProperties', { type: 'object', minProperties: 3 }],
    [
      'oneOf',
      {
        oneOf: [
          { type: 'integer', multipleOf: 3 },
          { type: 'integer', multipleOf: 5 },
        ],
      },
    ],
    [
      'unevaluatedProperties',
      {
        type: 'object',
        allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }],
        unevaluatedProperties: false,
      },
    ],
  ])('finds a value for %s', async (_name, schema) => {
    const made = await generateValue(schema, 3);
    expect(conforms(schema, made!.value)).toBe(true);
  });

  test.each<[string, string]>([
    [
      'declared',
      '{"properties":{"__proto__":{"type":"number"},"toString":{"type":"object"},"constructor":{"type":"number"}}}',
    ],
    [
      'declared in a member',
      '{"properties":{"value":{"properties":{"constructor":{"type":"number"}}}},"required":["value"]}',
    ],
    ['required', '{"type":"object","required":["__proto__","toString","constructor"]}'],
    ['required of one type', '{"type":"object","required":["toString"],"additionalProperties":{"type":"integer"}}'],
  ])('is not confused by the names of members that every object inherits: %s', async (_name, text) => {
    const schema = JSON.parse(text) as JsonObject;
    const required = (schema['required'] ?? []) as readonly string[];
    for (let seed = 0; seed < 12; seed += 1) {
      const made = await generateValue(schema, seed);
      expect(made, `seed ${seed}`).not.toBeNull();
      for (const name of required)
        expect(Object.hasOwn(made!.value as object, name), `${name}, seed ${seed}`).toBe(true);
    }
    expect(await nearestConforming({}, { properties: schema['properties'] ?? {} }, 1)).toEqual({ value: {} });
  });

  test('returns null when a schema allows no value', async () => {
    expect(await generateValue({ type: 'string', minLength: 5, maxLength: 2 }, 1)).toBeNull();
  });
});

describe('nearestConforming', () => {
  test('finds a text for a pattern with a lookahead, whatever the seed', async () => {
    const schema = { type: 'object', properties: { pin: { type: 'string', pattern: '^(?!0)[0-9]{6}$' } } };
    for (let seed = 0; seed < 60; seed += 1) {
      const made = await nearestConforming({ pin: '012345' }, schema, seed * 71_582_789);
      expect(conforms(schema, made!.value), `seed ${seed}`).toBe(true);
    }
  });

  test('changes no more of the start value than the schema requires', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 5 },
        count: { type: 'integer', maximum: 10 },
        ok: { type: 'boolean' },
      },
      required: ['name', 'count', 'ok'],
      additionalProperties: false,
    };
    const made = await nearestConforming({ name: 'Harbour', count: 80, ok: false, extra: 1 }, schema, 1);
    expect(made).toEqual({ value: { name: 'Harbo', count: 10, ok: false } });
  });
});
