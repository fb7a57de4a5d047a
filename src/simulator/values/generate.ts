import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { repair } from './repair.js';
import { checkOf } from './schema-check.js';
import { sketch, type SketchScene } from './example-value.js';

/** json-schema-faker's synchronous entry, as far as it is used here. */
type Faker = (schema: JsonObject, options: { readonly seed: number }) => unknown;

const mostTries = 32;

let faker: Promise<Faker> | null = null;

async function loadFaker(): Promise<Faker> {
  const { generateSync } = await import('json-schema-faker');
  return (schema, options) => generateSync(schema, options);
}

/**
 * A conforming value for a schema that nobody described, the same for the same seed.
 * null when none was found (the schema may allow no value at all).
 */
export async function generate(schema: Json, seed: number): Promise<{ readonly value: Json } | null> {
  const check = await checkOf(schema);
  const scene = await sketchScene(schema, seed);
  const faked = fake(await (faker ??= loadFaker()), schema, seed);
  const starts = [...(faked === undefined ? [] : [faked]), sketch(schema, scene), {}, [], 'sample', 1, null];
  for (const start of starts) {
    const repaired = repair(start, check, scene);
    if (repaired !== null) return repaired;
  }
  return null;
}

/** As near to `start` as the schema allows; null when no conforming value was found. */
export async function conforming(start: Json, schema: Json, seed: number): Promise<{ readonly value: Json } | null> {
  return repair(start, await checkOf(schema), await sketchScene(schema, seed)) ?? generate(schema, seed);
}

async function sketchScene(root: Json, seed: number): Promise<SketchScene> {
  const make = await (faker ??= loadFaker());
  return {
    root,
    turn: 0,
    patternText: (pattern, { minLength, maxLength }) => {
      const bounds = { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) };
      // The faker passes over lookarounds, so that a text may need several tries.
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

/** The faker throws on what it does not understand; its word is never taken without a check. */
function fake(make: Faker, schema: Json, seed: number): Json | undefined {
  if (!isObject(schema)) return undefined;
  try {
    return make(schema, { seed }) as Json | undefined;
  } catch {
    return undefined;
  }
}
