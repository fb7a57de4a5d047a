import { writtenJson, type Json } from '../../json/json.js';
import { describe, expect, test } from 'vitest';
import { loadBuiltin } from '../../../test/support/builtin-suites.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { EnforceSpec } from '../../suite/probe.js';
import { loosened, withObjectRoot } from './echo-request.js';
import { tableIn } from '../../../test/support/cases.js';

const loose = (schema: Json, invalid: Json): Json | null => loosened({ keyword: 'x', schema, valid: null, invalid });

describe('loosened', () => {
  test.each(tableIn('plan', 'loosened schemas') as readonly (readonly [string, Json, Json, Json])[])(
    'removes %s',
    (_what, schema, invalid, left) => expect(loose(schema, invalid)).toEqual(left),
  );

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
      const what = `${spec.keyword} ${writtenJson(spec.schema)} ${JSON.stringify(left)}`;
      expect(left, what).not.toBeNull();
      expect(checkSchema(spec.invalid, left).kind, what).toBe('conforms');
      expect(checkSchema(spec.valid, left).kind, what).toBe('conforms');
    }
  });
});
