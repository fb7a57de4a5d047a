import type { Path } from '../../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../../json/json.js';

/** Keywords of which most data has none, and a schema at least one. */
const telling: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', '$ref', '$dynamicRef'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems', 'contains', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
]);

/** Levels within which a schema may stand in an envelope. */
const deepest = 4;

/**
 * What is wrong with an object that only has members which are no keywords: every answer would conform to it. null: it
 * may be a schema.
 * @param isKeyword whether JSON Schema, or a vendor, knows the name, or a name near it
 */
export function noSchema(
  data: Json,
  isKeyword: (name: string) => boolean = () => false,
): { readonly message: string; readonly hint: string } | null {
  if (!isObject(data) || hasTelling(data)) return null;
  const unknown = Object.keys(data).filter((name) => !isKeyword(name) && !name.startsWith('x-'));
  if (unknown.length === 0) return null;
  const [inner] = schemasBelow(data);
  const hint =
    inner === undefined
      ? 'a JSON Schema begins like { "type": "object", "properties": { ... } }'
      : `did you mean its part "${inner.join('.')}"? write that alone`;
  const names = unknown.slice(0, 3).map((name) => `"${name}"`);
  const more = unknown.length > 3 ? ', ...' : '';
  return {
    message: `this is probably not a JSON Schema: it has none of its keywords, and every answer would conform (it has ${names.join(', ')}${more})`,
    hint,
  };
}

const hasTelling = (data: JsonObject): boolean => Object.keys(data).some((name) => telling.has(name));

/** The parts that look like schemas, the first and highest first. */
function* schemasBelow(data: JsonObject, path: Path = []): Generator<Path> {
  if (path.length === deepest) return;
  for (const [name, value] of Object.entries(data)) {
    if (!isObject(value)) continue;
    const { type } = value;
    const isType = typeof type === 'string' && ['object', 'array'].includes(type);
    if (isType || isObject(value['properties'])) yield [...path, name];
    else yield* schemasBelow(value, [...path, name]);
  }
}
