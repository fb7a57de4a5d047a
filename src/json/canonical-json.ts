import canonicalize from 'canonicalize';
import { isObject, type Json, holdsLongInteger, writtenJson } from './json.js';

/** RFC 8785 canonical JSON: the same value always gives the same text. Long integers, which it rounds, keep digits. */
export function canonicalJson(value: Json): string {
  return holdsLongInteger(value) ? writtenJson(sorted(value)) : (canonicalize(value) ?? 'null');
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
