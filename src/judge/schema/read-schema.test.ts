import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '../../json/json.js';
import { checkAlone } from './read-schema.js';
import { checkSchema } from './conformance.js';

interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

const folder = join(import.meta.dirname, '../../../fixtures/json-schema-test-suite');
const groups = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) =>
    (JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly Group[]).map((group) => ({ name, ...group })),
  );

describe('the JSON Schema test suite', () => {
  test('is answered as its authors say, but for references to the meta-schema and odd ids', () => {
    const wrong = groups.flatMap(({ name, description, schema, tests }) =>
      tests
        .filter(({ data, valid }) => checkAlone(data, schema).kind !== (valid ? 'conforms' : 'violates'))
        .map(({ data }) => `${name} ${description}: ${checkAlone(data, schema).kind}`),
    );
    expect([...new Set(wrong)]).toEqual([
      'anchor.json invalid anchors: unusable',
      'ref.json remote ref, containing refs itself: unusable',
      'ref.json order of evaluation: $id and $anchor and $ref: violates',
      'ref.json URN base URI with f-component: unusable',
    ]);
  });

  test('is answered the same with a time limit', () => {
    for (const { schema, tests } of groups) {
      for (const { data } of tests) expect(checkSchema(data, schema)).toEqual(checkAlone(data, schema));
    }
  });
});

const names = ['a', 'b', 'constructor'];
const leaf = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, 2.5, -1, '', 'a', 'ab', '2026-05-01', '\u{1F642}'),
  fc.integer({ min: -3, max: 12 }),
);
const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json;

/**
 * Keywords of a kind that services and libraries send; sometimes with a value that no keyword may have. Without
 * `nullable`, which JSON Schema does not know and Ajv obeys.
 */
const schema = fc.letrec<{ schema: Json }>((tie) => {
  const sub = tie('schema');
  const size = fc.constantFrom<Json>(0, 1, 2, -1, 1.5);
  const keywords: Record<string, fc.Arbitrary<Json>> = {
    type: fc.constantFrom<Json>(
      'string',
      'number',
      'integer',
      'object',
      'array',
      'null',
      ['string', 'null'],
      'text',
      [],
    ),
    enum: fc.uniqueArray(leaf, { maxLength: 3 }),
    const: leaf,
    ...{ minimum: leaf, maximum: leaf, exclusiveMinimum: leaf, multipleOf: fc.constantFrom<Json>(0.5, 2, 0) },
    ...{ minLength: size, maxLength: size, minItems: size, maxItems: size, minProperties: size, maxProperties: size },
    pattern: fc.constantFrom<Json>('^a', 'b$', '\\-', '.'),
    format: fc.constantFrom<Json>('date', 'email', 'colour', 'int32'),
    required: fc.uniqueArray(fc.constantFrom<Json>(...names), { maxLength: 2 }),
    properties: fc.dictionary(fc.constantFrom(...names), sub, { maxKeys: 3, noNullPrototype: true }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '.'), sub, { maxKeys: 1, noNullPrototype: true }),
    ...{
      additionalProperties: sub,
      propertyNames: sub,
      items: sub,
      not: sub,
      contains: sub,
      if: sub,
      then: sub,
      else: sub,
    },
    ...{ additionalItems: sub, uniqueItems: fc.boolean(), minContains: size, maxContains: size },
    prefixItems: fc.array(sub, { maxLength: 2 }),
    allOf: fc.array(sub, { maxLength: 2 }),
    anyOf: fc.array(sub, { maxLength: 2 }),
    oneOf: fc.array(sub, { maxLength: 2 }),
    dependentRequired: fc.dictionary(fc.constantFrom(...names), fc.constantFrom<Json>([], ['b'], 'b'), {
      maxKeys: 1,
      noNullPrototype: true,
    }),
    dependencies: fc.dictionary(fc.constantFrom(...names), fc.oneof(sub, fc.constant<Json>(['a', 'b'])), {
      maxKeys: 1,
    }),
    $ref: fc.constantFrom<Json>('#/definitions/d', '#/definitions/none', '#d'),
    ...{ title: fc.constant('t'), description: fc.constantFrom<Json>('d', 1), default: leaf, id: fc.constant('x') },
  };
  const member = fc.constantFrom(...Object.keys(keywords).filter((name) => name !== 'id'));
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc
        .uniqueArray(member, { maxLength: 4 })
        .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, keywords[name]!])))),
    ),
  };
}).schema;

const root = fc
  .record({ schema, shared: schema, dialect: fc.constantFrom('2020-12/schema', '2019-09/schema', '07') })
  .map(({ schema: given, shared: other, dialect }): Json => {
    const of: Json = given;
    const shared: Json = other;
    if (!isObject(of)) return of;
    const address =
      dialect === '07' ? 'http://json-schema.org/draft-07/schema#' : `https://json-schema.org/draft/${dialect}`;
    return {
      ...of,
      $schema: address,
      definitions: { d: isObject(shared) ? { ...shared, $anchor: 'd' } : shared },
    };
  });

const options = { strict: false, logger: false, ownProperties: true, unicodeRegExp: false } as const;

/** What Ajv says, which makes code of a schema; null where it cannot use the schema. */
function compiled(of: Json): ((value: Json) => boolean) | null {
  const { $schema: named, ...plain } = isObject(of) ? of : {};
  const is2020 = !isObject(of) || (typeof named === 'string' && named.includes('2020'));
  const ajv = is2020 ? new Ajv2020(options) : new Ajv2019(options);
  // Of the formats in these schemas, JSON Schema defines only these; it leaves open what int32 says.
  (addFormats as unknown as (to: unknown, names: readonly string[]) => void)(ajv, ['date', 'email']);
  try {
    return ajv.compile(isObject(of) ? plain : (of as boolean)) as (value: Json) => boolean;
  } catch {
    return null;
  }
}

// But for large multiples, of which Ajv divides the text of 1e21.
test('any schema says of any value what Ajv says', () => {
  fc.assert(
    fc.property(root, fc.array(value, { minLength: 1, maxLength: 3 }), (of, values) => {
      const validate = compiled(of);
      for (const one of values) {
        const { kind } = checkAlone(one, of);
        if (validate === null || kind === 'unusable') continue;
        expect(kind).toBe(validate(one) ? 'conforms' : 'violates');
      }
    }),
    { numRuns: 400 },
  );
});

test.each<readonly [step: number, value: number, isMultiple: boolean]>([
  [0.01, 19.99, true],
  [0.01, 0.07, true],
  [0.05, 897.35, true],
  [0.1, 0.3, true],
  [0.01, 1234567.89, true],
  [0.001, 4.035, true],
  [0.0001, 0.0075, true],
  [0.01, 0.075, false],
  [0.05, 19.99, false],
  [0.1, 0.35, false],
  [0.25, 0.3, false],
  [0.01, 1e20, true],
  [3, 9, true],
])('multipleOf %d: %d', (multipleOf, number, isMultiple) => {
  expect(checkAlone(number, { multipleOf }).kind).toBe(isMultiple ? 'conforms' : 'violates');
});
