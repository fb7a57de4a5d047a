import canonicalize from 'canonicalize';
import type { Json } from './json.js';

/** RFC 8785 canonical JSON: the same value always gives the same text. */
export function canonicalJson(value: Json): string {
  return canonicalize(value) ?? 'null';
}
