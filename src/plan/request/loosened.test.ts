import { describe, expect, test } from 'vitest';
import { loadBuiltin } from '../../../test/support/builtin-suites.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { Json } from '../../json/json.js';
import type { EnforceSpec } from '../../suite/probe.js';
import { loosened } from './loosened.js';
import { withObjectRoot } from './echo-request.js';

const loose = (schema: Json, invalid: Json): Json | null => loosened({ keyword: 'x', schema, valid: null, invalid });
const within = (schema: Json): Json => ({ type: 'object', properties: { a: schema } });

describe('loosened', () => {
  test.each<readonly [string, Json, Json, Json]>([
    ['a bound', within({ type: 'number', minimum: 5 }), { a: 2 }, within({ type: 'number' })],
    ['a type', within({ type: 'string' }), { a: 2 }, within({})],
    ['a choice with its branches', within({ anyOf: [{ type: 'string' }, { type: 'null' }] }), { a: 2 }, within({})],
    [
      'only what forbids it',
      { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string', maxLength: 3 } } },
      { a: 'long', b: 1 },
      { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' } } },
    ],
    [
      'additionalProperties',
      { type: 'object', properties: {}, additionalProperties: false },
      { a: 1 },
      { type: 'object', properties: {}, additionalProperties: true },
    ],
    ['a schema that is false', within(false), { a: 1 }, within(true)],
    [
      'behind a reference',
      {
        $ref: '#/$defs/x-y/properties/ö',
        $defs: { 'x-y': { properties: { ö: { type: 'object', minProperties: 1 } } } },
      },
      {},
      { $ref: '#/$defs/x-y/properties/ö', $defs: { 'x-y': { properties: { ö: { type: 'object' } } } } },
    ],
    [
      'a rule that another one hides',
      within({ if: { type: 'string' }, then: { minLength: 3 }, not: { const: 'b' } }),
      { a: 'b' },
      within({ if: { type: 'string' }, then: {} }),
    ],
  ])('removes %s', (_what, schema, invalid, left) => expect(loose(schema, invalid)).toEqual(left));

  test('gives null for a schema that cannot be checked', () => expect(loose({ type: 'nonsense' }, 1)).toBeNull());

  const builtinSpecs = async (): Promise<EnforceSpec[]> => {
    const { suites } = await loadBuiltin('core', 'extended', 'json-schema-test-suite');
    return suites.flatMap(({ probes }) => probes.flatMap(({ enforce }) => enforce ?? [])).map(withObjectRoot);
  };

  test('gives a schema that accepts both documents for every built-in probe', async () => {
    const specs = await builtinSpecs();
    expect(specs.length).toBeGreaterThan(100);
    for (const spec of specs) {
      const left = loosened(spec);
      const what = `${spec.keyword} ${JSON.stringify(spec.schema)} ${JSON.stringify(left)}`;
      expect(left, what).not.toBeNull();
      expect(checkSchema(spec.invalid, left).kind, what).toBe('conforms');
      expect(checkSchema(spec.valid, left).kind, what).toBe('conforms');
    }
  });
});
