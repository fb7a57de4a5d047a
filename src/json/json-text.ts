import type { Json } from './json.js';

const texts = new WeakMap<object, string>();

/**
 * The JSON text of a value that is sent, measured, searched and written down in different places. An object is never
 * changed, so its text is made once and kept as long as the object.
 */
export function jsonText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}
