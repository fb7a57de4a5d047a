import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '../../json/json.js';
import { checkSchema as interpreted } from '../application/portable-engine.js';
import { checkSchema as compiled, violationCount, type Conformance } from '../schema/conformance.js';

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

/** A judgement without the order in which its violations were found. */
function told(conformance: Conformance): Json {
  if (conformance.kind !== 'violates') return conformance.kind;
  return conformance.violations.map(({ at, message }) => `${at} ${message}`).sort();
}

describe('the JSON Schema test suite', () => {
  test('is answered as its authors say, but for references to the meta-schema, which cannot be used', () => {
    const wrong = groups.flatMap(({ name, description, schema, tests }) =>
      tests
        .filter(({ data, valid }) => interpreted(data, schema).kind !== (valid ? 'conforms' : 'violates'))
        .map(({ data }) => `${name} ${description}: ${interpreted(data, schema).kind}`),
    );
    expect([...new Set(wrong)]).toEqual([
      'anchor.json invalid anchors: unusable',
      'ref.json remote ref, containing refs itself: unusable',
      'ref.json URN base URI with f-component: unusable',
    ]);
  });

  test('is answered in the words of the judge of a run, but where Ajv is wrong', () => {
    const different = groups.flatMap(({ name, description, schema, tests }) =>
      tests
        .filter(
          ({ data }) =>
            JSON.stringify(told(interpreted(data, schema))) !== JSON.stringify(told(compiled(data, schema))),
        )
        .map(() => `${name} ${description}`),
    );
    // Ajv runs out of stack on the references, counts everything as evaluated beside `contains`, and forgets `__proto__`.
    expect([...new Set(different)].filter((group) => !group.startsWith('unevaluated'))).toEqual([
      'anchor.json invalid anchors',
      'properties.json properties whose names are Javascript object property names',
      'ref.json remote ref, containing refs itself',
      'ref.json refs with relative uris and defs',
      'ref.json relative refs with absolute uris and defs',
      'ref.json URN base URI with f-component',
      'ref.json URN ref with nested pointer ref',
    ]);
    expect(new Set(different).size).toBeLessThan(20);
  });
});

const names = ['a', 'b', 'toString'];
const leaf = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, 2.5, -1, 1e21, '', 'a', 'ab', '2026-05-01', '\u{1F642}'),
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

/** Keywords of a kind that services and libraries send; sometimes with a value that no keyword may have. */
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
    nullable: fc.boolean(),
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

const countIn = (conformance: Conformance): number | null =>
  conformance.kind === 'unusable' ? null : conformance.kind === 'conforms' ? 0 : conformance.violations.length;

const holdsAnyOf = (of: Json): boolean => JSON.stringify(of).includes('"anyOf"');

test('any schema says of any value what the judge of a run says', () => {
  fc.assert(
    fc.property(root, fc.array(value, { minLength: 1, maxLength: 3 }), (of, values) => {
      for (const one of values) {
        const [here, there] = [interpreted(one, of), compiled(one, of)];
        expect(violationCount(one, of)).toBe(countIn(there));
        // Ajv does not read what follows from nothing but `nullable`.
        if (here.kind === 'unusable' && here.error.includes('nullable')) continue;
        // Nor, in most dialects, a reference that leads nowhere, beside another schema of `anyOf` that allows everything.
        if (here.kind === 'unusable' && here.error.includes('reference') && holdsAnyOf(of)) continue;
        expect(told(here)).toEqual(told(there));
      }
    }),
    { numRuns: 400 },
  );
});
