import { parsedJson, writtenJson } from './json-text.js';
import { rememberedByObject } from './remembered.js';

/** Any JSON value, read-only: requests, schemas and replies travel through the whole program as this. */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none where it is no list. */
export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** JSON text as a value, as `parsedJson` reads it; undefined for any other text. */
export function jsonOrUndefined(text: string): Json | undefined {
  try {
    return parsedJson(text) as Json;
  } catch {
    return undefined;
  }
}

/** A copy in which each part that is neither a list nor an object is changed. */
export function mapLeaves(value: Json, change: (leaf: Exclude<Json, JsonArray | JsonObject>) => Json): Json {
  if (Array.isArray(value)) return (value as JsonArray).map((item) => mapLeaves(item, change));
  if (!isObject(value)) return change(value as Exclude<Json, JsonArray | JsonObject>);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change)]));
}

/**
 * The JSON text of a value that is sent, measured, searched and written down in different places. An object is never
 * changed, so its text is made once.
 */
export const jsonText = rememberedByObject<Json, string>((value) => writtenJson(value));
