import { isObject, type Json } from './json.js';

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
    if (value === null) {
      merged.delete(name);
    } else {
      merged.set(name, mergePatch(merged.get(name), value));
    }
  }
  return Object.fromEntries(merged);
}

/**
 * Whether two values are the same, however they are written: the order of members says nothing. Ends at the first
 * difference.
 */
export function isSameJson(one: Json, other: Json): boolean {
  if (Array.isArray(one)) {
    if (!Array.isArray(other)) return false;
    const [items, others] = [one as readonly Json[], other as readonly Json[]];
    return items.length === others.length && items.every((item, index) => isSameJson(item, others[index] ?? null));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  return (
    hasSameMembers(one, other) && Object.entries(one).every(([name, value]) => isSameJson(value, other[name] ?? null))
  );
}

/** Whether two objects have the same names; other values: whether they are of one type. */
export function hasSameMembers(one: Json, other: Json): boolean {
  if (!isObject(one) || !isObject(other)) return !isObject(one) && !isObject(other) && typeof one === typeof other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name));
}
