import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Traits } from '../profiles/profile.js';

/** Keywords whose value maps names, which are not keywords, to schemas. */
const schemaMaps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
]);
/** Keywords whose value contains no schema. */
const plainValues: ReadonlySet<string> = new Set([
  ...['const', 'enum', 'default', 'examples', 'required', 'dependentRequired'],
]);

/** The schema with a change to each schema in it, the innermost first. */
export function mapSchemas(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((item) => mapSchemas(item, change));
  if (!isObject(schema)) return schema;
  const inside = (keyword: string, value: Json): Json => {
    if (plainValues.has(keyword)) return value;
    return schemaMaps.has(keyword) && isObject(value) ? mapMembers(value, change) : mapSchemas(value, change);
  };
  return change(
    Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, inside(keyword, value)])),
  );
}

function mapMembers(members: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, mapSchemas(member, change)]));
}

/** Every keyword that a schema uses, at any depth. */
export function keywordsOf(schema: Json): ReadonlySet<string> {
  const found = new Set<string>();
  mapSchemas(schema, (part) => {
    for (const keyword of Object.keys(part)) found.add(keyword);
    return part;
  });
  return found;
}

/** The names of all members that a schema describes, at any depth. */
export function memberNames(schema: Json): ReadonlySet<string> {
  const found = new Set<string>();
  mapSchemas(schema, (part) => {
    for (const name of Object.keys(isObject(part['properties']) ? part['properties'] : {})) found.add(name);
    return part;
  });
  return found;
}

/** A schema without the keywords that a model ignores in this part of the request. */
export function enforcedSchema(
  schema: Json,
  place: keyof Traits['ignore_keywords_in'],
  traits: Pick<Traits, 'ignore_keywords' | 'ignore_keywords_in' | 'ignore_schema'>,
): Json {
  if (traits.ignore_schema) return true;
  const ignored = new Set([...traits.ignore_keywords, ...(traits.ignore_keywords_in[place] ?? [])]);
  if (ignored.size === 0) return schema;
  return mapSchemas(schema, (part) =>
    Object.fromEntries(Object.entries(part).filter(([keyword]) => !ignored.has(keyword))),
  );
}
