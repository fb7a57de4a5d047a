/** Any JSON value, read-only: requests, schemas and replies travel through the whole program as this. */
export type Json = null | boolean | number | string | JsonArray | JsonObject;
type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
