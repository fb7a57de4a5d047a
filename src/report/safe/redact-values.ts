import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { eachText } from './each-text.js';
import type { Redact } from './redact.js';

/**
 * Redacts JSON that others wrote, names and numbers included: a model may put an address into a member's name, or a
 * telephone number into a number. What holds nothing to mask is not copied.
 */
export function redactForeign(value: Json, redact: Redact): Json {
  if (typeof value === 'number') {
    const text = String(value);
    const masked = redact(text);
    return masked === text ? value : masked;
  }
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return redactedItems(value as readonly Json[], redact);
  return isObject(value) ? redactedMembers(value, redact) : value;
}

function redactedItems(items: readonly Json[], redact: Redact): readonly Json[] {
  let copy: Json[] | null = null;
  // Pages hold millions of values, and an iterator makes an array for each.
  for (let index = 0; index < items.length; index++) {
    const before = items[index] as Json;
    const item = redactForeign(before, redact);
    if (item !== before) (copy ??= [...items])[index] = item;
  }
  return copy ?? items;
}

function redactedMembers(value: JsonObject, redact: Redact): JsonObject {
  const names = Object.keys(value);
  let copy: [string, Json][] | null = null;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const before = value[name] as Json;
    const own = redact(name);
    const member = redactForeign(before, redact);
    if (copy === null && own === name && member === before) continue;
    copy ??= names.slice(0, index).map((one) => [one, value[one] as Json]);
    copy.push([own, member]);
  }
  return copy === null ? value : Object.fromEntries(copy);
}

/** Redacts every string in a value that chatspec made; names and numbers stay. What holds nothing to mask is not copied. */
export function redactAll<T>(value: T, redact: Redact): T {
  return eachText(value, redact);
}
