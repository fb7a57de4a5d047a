import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { reasons, outcomeClasses } from '../judge/outcome.js';

const root = new URL('../../', import.meta.url);

interface Shipped {
  readonly $defs: {
    readonly outcomeClass: { readonly enum: readonly string[] };
    readonly expect: {
      readonly properties: {
        readonly rejected: { readonly properties: { readonly reason: { readonly enum: readonly string[] } } };
      };
    };
  };
}

describe('schemas/suite.schema.json', () => {
  test('knows the outcome classes and reasons of the judge', async () => {
    const schema = JSON.parse(await readFile(new URL('schemas/suite.schema.json', root), 'utf8')) as Shipped;
    expect(schema.$defs.outcomeClass.enum).toEqual(outcomeClasses);
    expect(schema.$defs.expect.properties.rejected.properties.reason.enum).toEqual(reasons);
  });
});

describe('generated types', () => {
  test('are those of the schemas; npm run generate writes them anew', async () => {
    const script = new URL('scripts/generate-types.mjs', root).href;
    const { generated, typesOf } = (await import(script)) as {
      generated: Record<string, string>;
      typesOf: (schema: string) => Promise<string>;
    };
    expect(Object.keys(generated)).toContain('schemas/config.schema.json');
    for (const [schema, file] of Object.entries(generated)) {
      expect(await readFile(new URL(file, root), 'utf8')).toBe(await typesOf(schema));
    }
  });
});
