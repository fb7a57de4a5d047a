import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { fixValue } from './schema-fixes.js';
import { checkOf } from './schema-check.js';
import { exampleValue, type ExampleContext } from './example-value.js';
import { moderateSchema } from './moderate-schema.js';

/** json-schema-faker's synchronous entry, as far as it is used here. */
type Faker = (schema: JsonObject, options: { readonly seed: number }) => unknown;

const mostTries = 32;

let faker: Promise<Faker> | null = null;

async function loadFaker(): Promise<Faker> {
  const { generateSync } = await import('json-schema-faker');
  return (schema, options) => generateSync(schema, options);
}

/**
 * A conforming value for any schema, the same for the same seed.
 * null when none was found (the schema may allow no value at all).
 */
export async function generateValue(schema: Json, seed: number): Promise<{ readonly value: Json } | null> {
  const check = checkOf(schema);
  const context = await exampleContext(schema, seed);
  const faked = fake(await (faker ??= loadFaker()), schema, seed);
  const starts = [...(faked === undefined ? [] : [faked]), exampleValue(schema, context), {}, [], 'sample', 1, null];
  for (const start of starts) {
    const fixed = fixValue(start, check, context);
    if (fixed !== null) return fixed;
  }
  return null;
}

/** A conforming value near `start`; null when none was found. */
export async function nearestConforming(
  start: Json,
  schema: Json,
  seed: number,
): Promise<{ readonly value: Json } | null> {
  return fixValue(start, checkOf(schema), await exampleContext(schema, seed)) ?? generateValue(schema, seed);
}

async function exampleContext(root: Json, seed: number): Promise<ExampleContext> {
  const make = await (faker ??= loadFaker());
  return {
    root,
    variant: 0,
    patternText: (pattern, { minLength, maxLength }) => {
      const bounds = { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) };
      // The faker ignores lookarounds, so its text may not match.
      for (let turn = 0; turn < mostTries; turn += 1) {
        const text = fake(make, { type: 'string', pattern, ...bounds }, seed + turn);
        if (typeof text === 'string' && matches(pattern, text)) return text;
      }
      return null;
    },
  };
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

/** The faker throws on schemas that it does not understand, and its values need not conform. */
function fake(make: Faker, schema: Json, seed: number): Json | undefined {
  const moderate = moderateSchema(schema);
  if (!isObject(moderate)) return undefined;
  try {
    return make(moderate, { seed }) as Json | undefined;
  } catch {
    return undefined;
  }
}
