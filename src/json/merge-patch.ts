import { isObject, type Json, type JsonObject } from './json.js';

/**
 * RFC 7396: objects merge member by member, null removes a member, anything else replaces.
 * A member named `__proto__` is a member like any other and never reaches a prototype.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const changes = Object.entries(patch);
  if (changes.length === 0 && isObject(target)) return target;
  const merged = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of changes) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return fromEntries(merged);
}

/** Object.fromEntries defines own members, which makes `__proto__` safe. */
function fromEntries(entries: Iterable<[string, Json]>): JsonObject {
  return Object.fromEntries(entries);
}
