import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { plainValues, schemaMaps } from './enforced-schema.js';
import { numberAt } from './resolve-ref.js';

/** How far above its least bound a value may grow; a model does not write up to a limit either. */
const spans = [
  { least: 'minLength', most: 'maxLength', span: 200 },
  { least: 'minItems', most: 'maxItems', span: 20 },
  { least: 'minProperties', most: 'maxProperties', span: 20 },
] as const;

/** The schema with upper bounds that no sensible answer comes near to lowered. */
export function moderateSchema(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(moderateSchema);
  if (!isObject(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (plainValues.has(keyword)) return [keyword, value];
    return [keyword, schemaMaps.has(keyword) && isObject(value) ? eachMember(value) : moderateSchema(value)];
  });
  return { ...Object.fromEntries(parts), ...lowered(schema) };
}

function eachMember(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, moderateSchema(member)]));
}

function lowered(schema: JsonObject): JsonObject {
  const changes = spans.flatMap(({ least, most, span }): [string, number][] => {
    const bound = (numberAt(schema, least) ?? 0) + span;
    return (numberAt(schema, most) ?? 0) > bound ? [[most, bound]] : [];
  });
  return Object.fromEntries(changes);
}
