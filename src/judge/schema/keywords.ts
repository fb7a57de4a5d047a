import { isObject, type JsonObject } from '../../json/json.js';
import meta from './json-schema.schema.json' with { type: 'json' };

/** The schema of JSON Schemas: each keyword with what it may hold. Words that it does not name constrain nothing. */
export const metaSchema: JsonObject = meta;

export const typeNames: readonly string[] = meta.$defs.typeName.enum;

export const isKeyword = (name: string): boolean => Object.hasOwn(meta.properties, name);

const { properties }: { readonly properties: JsonObject } = meta;

/** Keywords whose members are named as an author likes. */
export const namedMembers: ReadonlySet<string> = new Set(
  Object.keys(properties).filter((name) => isObject(properties[name]) && 'additionalProperties' in properties[name]),
);

/** Keywords whose values are data, no schemas. */
export const dataKeywords: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples']);
