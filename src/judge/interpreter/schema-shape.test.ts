import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../json/json.js';
import { shapeProblem } from './schema-shape.js';

const options: Options = { strict: false, allErrors: true, logger: false, ownProperties: true };
const dialects = { '2020': new Ajv2020(options), '2019': new Ajv2019(options), '07': new Ajv(options) };
for (const ajv of Object.values(dialects)) addFormats.default(ajv);

const keywords = [
  ...['$id', '$ref', '$anchor', '$comment', '$defs', '$dynamicRef', '$dynamicAnchor', '$recursiveRef'],
  ...['$recursiveAnchor', '$vocabulary', 'title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly'],
  ...['examples', 'type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'maxItems', 'minItems', 'uniqueItems', 'maxContains'],
  ...['minContains', 'maxProperties', 'minProperties', 'required', 'dependentRequired', 'dependentSchemas'],
  ...['dependencies', 'definitions', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'unevaluatedItems', 'unevaluatedProperties', 'if', 'then'],
  ...[
    'else',
    'not',
    'allOf',
    'anyOf',
    'oneOf',
    'contentMediaType',
    'contentEncoding',
    'contentSchema',
    'nullable',
    'x',
  ],
];
const values: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 1.5, '', 'a', '#', 'a#b', '(', 'object', '1a', 'A.b_c-d', 'http://a/b#'],
  ...[[], [1], ['a'], ['a', 'a'], ['string', 'null'], ['string', 'string'], [true], [{}], [[]], [null], [{ type: 7 }]],
  ...[{}, { a: 1 }, { a: true }, { a: {} }, { a: [] }, { a: ['b'] }, { a: ['b', 'b'] }, { a: { type: 'x' } }],
  ...[{ type: 7 }, { $id: 'a#b' }, { '(': {} }, { a: 'b' }, { 'http://a': true }, [1, 1], [{ a: 1 }, { a: 1 }]],
];

const isSchema = (schema: Json, dialect: keyof typeof dialects): boolean =>
  dialects[dialect].validateSchema(schema as object) === true;

test('every keyword with every kind of value is a schema where Ajv says so', () => {
  const told: string[] = [];
  for (const dialect of ['2020', '2019', '07'] as const) {
    for (const keyword of keywords) {
      for (const value of values) {
        for (const schema of [{ [keyword]: value }, { properties: { p: { not: { [keyword]: value } } } }]) {
          if ((shapeProblem(schema, dialect, 'whole') === null) !== isSchema(schema, dialect))
            told.push(`${dialect} ${JSON.stringify(schema)}`);
        }
      }
    }
  }
  expect(told).toEqual([]);
});

test('so is any tree of them', () => {
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...values),
      fc.dictionary(fc.constantFrom(...keywords), tie('tree'), { maxKeys: 3, noNullPrototype: true }),
      fc.array(tie('tree'), { maxLength: 2 }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.constantFrom('2020', '2019', '07'), (schema, dialect) => {
      if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
      expect(shapeProblem(schema, dialect, 'whole') === null).toBe(isSchema(schema, dialect));
    }),
    { numRuns: 2000 },
  );
});
