import { writtenJson } from './json-text.js';

/** Any JSON value, read-only: requests, schemas and replies travel through the whole program as this. */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const jsonTextCache = new WeakMap<object, string>();

/**
 * The JSON text of a value that is sent, measured, searched and written down in different places. An object is never
 * changed, so its text is made once and kept as long as the object.
 */
export function jsonText(value: Json): string {
  if (typeof value !== 'object' || value === null) return writtenJson(value);
  const known = jsonTextCache.get(value);
  if (known !== undefined) return known;
  const text = writtenJson(value);
  jsonTextCache.set(value, text);
  return text;
}
