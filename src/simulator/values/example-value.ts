import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { numberAt, resolved, schemasAt, typesOf } from './resolve-ref.js';
import { plainValue, sketchNumber, sketchString, type PatternText } from './example-scalar.js';

/** What sketching needs to know besides the schema at hand. */
export interface SketchScene {
  /** For `$ref`. */
  readonly root: Json;
  readonly patternText: PatternText;
  /** Which branch of a choice to take; another number gives another sketch. */
  readonly turn: number;
}

const deepest = 24;

/**
 * The smallest sensible value for a schema: required members, least lengths, first choices. Keywords that need
 * insight (`not`, `if`, `contains` with bounds) are left to repair.
 */
export function sketch(schema: Json | undefined, scene: SketchScene, depth = 0): Json {
  if (!isObject(schema) || depth > deepest) return isObject(schema) ? plainValue(typesOf(schema)[0]) : 'sample';
  const here = flattened(schema, scene);
  if ('const' in here) return here['const'] ?? null;
  const choices = schemasAt(here, 'enum');
  if (choices.length > 0) return choices[scene.turn % choices.length] ?? null;
  const types = typesOf(here);
  switch (types[scene.turn % Math.max(types.length, 1)]) {
    case 'object':
      return sketchObject(here, scene, depth);
    case 'array':
      return sketchArray(here, scene, depth);
    case 'string':
      return sketchString(here, scene.patternText);
    case 'integer':
      return sketchNumber(here, true);
    case 'number':
      return sketchNumber(here, false);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'sample';
  }
}

/** One schema out of `$ref`, every `allOf` and one branch of each choice. */
function flattened(schema: JsonObject, scene: SketchScene, depth = 0): JsonObject {
  const here = resolved(schema, scene.root);
  if (depth > 8) return here;
  const parts = [...schemasAt(here, 'allOf')];
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schemasAt(here, keyword);
    const branch = branches[scene.turn % Math.max(branches.length, 1)];
    if (branch !== undefined) parts.push(branch);
  }
  return parts.filter(isObject).reduce((whole, part) => joined(whole, flattened(part, scene, depth + 1)), here);
}

function joined(left: JsonObject, right: JsonObject): JsonObject {
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

function sketchObject(schema: JsonObject, scene: SketchScene, depth: number): Json {
  const properties = objectAt(schema, 'properties');
  const names = schemasAt(schema, 'required').filter((name) => typeof name === 'string');
  const entries = new Map<string, Json>();
  for (const name of names)
    entries.set(name, sketch(properties[name] ?? schema['additionalProperties'], scene, depth + 1));
  return Object.fromEntries(entries);
}

function sketchArray(schema: JsonObject, scene: SketchScene, depth: number): Json {
  const leading = schemasAt(schema, 'prefixItems');
  const count = Math.max(numberAt(schema, 'minItems') ?? 0, 'contains' in schema ? 1 : 0);
  const rest = 'contains' in schema ? schema['contains'] : schema['items'];
  return Array.from({ length: Math.min(count, 1000) }, (_, index) => sketch(leading[index] ?? rest, scene, depth + 1));
}
