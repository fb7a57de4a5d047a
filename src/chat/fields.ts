import { isObject, type Json, type JsonObject } from '../json/json.js';

/**
 * An own member, never an inherited one. What JSON.parse made inherits no member of a name that the protocol uses, so
 * that those are read without this: it takes several times as long.
 */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An own member of what may be an object; undefined where there is none. */
export function memberOf(holder: Json | undefined, name: string): Json | undefined {
  return isObject(holder) ? own(holder, name) : undefined;
}

/** A non-empty text; null for anything else. */
export function nonEmptyText(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function objectOf(value: Json | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}

export function itemsOrEmpty(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
