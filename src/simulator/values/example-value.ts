import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { numberAt, resolveRef, schemasAt, typesOf } from './resolve-ref.js';
import { plainValue, exampleNumber, exampleString, type PatternText } from './example-scalar.js';

/** What an example value depends on besides its schema. */
export interface ExampleContext {
  /** The whole schema, in which `$ref` is resolved. */
  readonly root: Json;
  readonly patternText: PatternText;
  /** Selects the branch of each choice, so that another number gives another value. */
  readonly variant: number;
}

const deepest = 24;

/**
 * The smallest sensible value for a schema: required members, least lengths, first choices. Keywords that need
 * more than that (`not`, `if`, `contains` with bounds) are left to `fixValue`.
 */
export function exampleValue(schema: Json | undefined, context: ExampleContext, depth = 0): Json {
  if (!isObject(schema) || depth > deepest) return isObject(schema) ? plainValue(typesOf(schema)[0]) : 'sample';
  const flat = flatten(schema, context);
  if ('const' in flat) return flat['const'] ?? null;
  const choices = schemasAt(flat, 'enum');
  if (choices.length > 0) return choices[context.variant % choices.length] ?? null;
  const types = typesOf(flat);
  switch (types[context.variant % Math.max(types.length, 1)]) {
    case 'object':
      return exampleObject(flat, context, depth);
    case 'array':
      return exampleArray(flat, context, depth);
    case 'string':
      return exampleString(flat, context.patternText);
    case 'integer':
      return exampleNumber(flat, true);
    case 'number':
      return exampleNumber(flat, false);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'sample';
  }
}

/** One schema in place of `$ref`, every `allOf` and one branch of each choice. */
function flatten(schema: JsonObject, context: ExampleContext, depth = 0): JsonObject {
  const flat = resolveRef(schema, context.root);
  if (depth > 8) return flat;
  const parts = [...schemasAt(flat, 'allOf')];
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schemasAt(flat, keyword);
    const branch = branches[context.variant % Math.max(branches.length, 1)];
    if (branch !== undefined) parts.push(branch);
  }
  return parts.filter(isObject).reduce((whole, part) => mergeSchemas(whole, flatten(part, context, depth + 1)), flat);
}

function mergeSchemas(left: JsonObject, right: JsonObject): JsonObject {
  const properties = { ...objectAt(left, 'properties'), ...objectAt(right, 'properties') };
  const required = [...schemasAt(left, 'required'), ...schemasAt(right, 'required')];
  return {
    ...left,
    ...right,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function objectAt(schema: JsonObject, keyword: string): JsonObject {
  return isObject(schema[keyword]) ? schema[keyword] : {};
}

function exampleObject(schema: JsonObject, context: ExampleContext, depth: number): Json {
  const properties = objectAt(schema, 'properties');
  const names = schemasAt(schema, 'required').filter((name) => typeof name === 'string');
  const entries = new Map<string, Json>();
  for (const name of names)
    entries.set(name, exampleValue(properties[name] ?? schema['additionalProperties'], context, depth + 1));
  return Object.fromEntries(entries);
}

function exampleArray(schema: JsonObject, context: ExampleContext, depth: number): Json {
  const leading = schemasAt(schema, 'prefixItems');
  const count = Math.max(numberAt(schema, 'minItems') ?? 0, 'contains' in schema ? 1 : 0);
  const rest = 'contains' in schema ? schema['contains'] : schema['items'];
  return Array.from({ length: Math.min(count, 1000) }, (_, index) =>
    exampleValue(leading[index] ?? rest, context, depth + 1),
  );
}
