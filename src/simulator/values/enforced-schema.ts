import { isObject, type Json } from '../../json/json.js';
import type { SchemaPlace, Traits } from '../profiles/profile.js';

/** A schema without the keywords that a model ignores in this part of the request. */
export function enforcedSchema(
  schema: Json,
  place: SchemaPlace,
  traits: Pick<Traits, 'ignore_keywords' | 'ignore_keywords_in' | 'ignore_schema'>,
): Json {
  if (traits.ignore_schema) return true;
  const ignored = [...traits.ignore_keywords, ...(traits.ignore_keywords_in[place] ?? [])];
  return ignored.length === 0 ? schema : withoutKeywords(schema, new Set(ignored));
}

/** Keywords whose value maps names, which are not keywords, to schemas. */
export const schemaMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose value contains no schema. */
export const plainValues: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'examples',
  'required',
  'dependentRequired',
]);

function withoutKeywords(schema: Json, ignored: ReadonlySet<string>): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((item) => withoutKeywords(item, ignored));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !ignored.has(keyword))
      .map(([keyword, value]) => [keyword, keywordValue(keyword, value, ignored)]),
  );
}

function keywordValue(keyword: string, value: Json, ignored: ReadonlySet<string>): Json {
  if (plainValues.has(keyword)) return value;
  if (!schemaMaps.has(keyword) || !isObject(value)) return withoutKeywords(value, ignored);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutKeywords(member, ignored)]));
}

/** Every keyword that a schema uses, at any depth. */
export function keywordsOf(schema: Json, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const item of schema as readonly Json[]) keywordsOf(item, found);
  if (!isObject(schema)) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (plainValues.has(keyword)) continue;
    if (schemaMaps.has(keyword) && isObject(value))
      for (const member of Object.values(value)) keywordsOf(member, found);
    else keywordsOf(value, found);
  }
  return found;
}
