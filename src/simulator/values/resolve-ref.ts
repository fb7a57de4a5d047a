import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at, pointerSteps } from '../../json/pointer.js';

/** A schema object with its local `$ref` (or `$dynamicRef`) replaced; the keywords beside it remain and take precedence. */
export function resolveRef(schema: Json | undefined, root: Json): JsonObject {
  let here: Json | undefined = schema;
  let merged: JsonObject = {};
  for (let hops = 0; hops < 16 && isObject(here); hops += 1) {
    merged = { ...here, ...merged };
    const target: Json | undefined = here['$ref'] ?? here['$dynamicRef'];
    if (typeof target !== 'string') break;
    here = target.startsWith('#') ? targetOf(target.slice(1), root) : undefined;
  }
  return merged;
}

function targetOf(fragment: string, root: Json): Json | undefined {
  if (fragment !== '' && !fragment.startsWith('/')) return schemaWithAnchor(fragment, root);
  return at(root, pointerSteps(decodeURIComponent(fragment)));
}

function schemaWithAnchor(name: string, root: Json): Json | undefined {
  const definitions = isObject(root) ? (root['$defs'] ?? root['definitions']) : undefined;
  if (!isObject(definitions)) return undefined;
  return Object.values(definitions).find(
    (schema) => isObject(schema) && (schema['$anchor'] === name || schema['$dynamicAnchor'] === name),
  );
}

/** The types that a schema allows, as stated or as its keywords suggest; empty when neither tells. */
export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return (type as readonly Json[]).filter((item) => typeof item === 'string');
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return ['object'];
  if ('items' in schema || 'prefixItems' in schema || 'minItems' in schema || 'contains' in schema) return ['array'];
  if ('minLength' in schema || 'maxLength' in schema || 'pattern' in schema || 'format' in schema) return ['string'];
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return ['number'];
  if ('exclusiveMinimum' in schema || 'exclusiveMaximum' in schema) return ['number'];
  return [];
}

/** A numeric keyword, or undefined. */
export function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

/** A keyword that holds a list of schemas; empty when absent. */
export function schemasAt(schema: JsonObject, keyword: string): readonly Json[] {
  const value = schema[keyword];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
