import { isObject, type Json } from '../json/json.js';

/** A text without keys. */
export type Mask = (text: string) => string;

/** The value with every text and every name of a member masked by itself. */
export function maskedJson(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => maskedJson(item, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [mask(name), maskedJson(member, mask)]));
}

/** A part of a URL as a reader sees it; as it stands where its escapes are broken. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
