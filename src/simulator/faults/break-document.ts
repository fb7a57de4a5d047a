import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Do } from '../profiles/profile.js';

/** A document broken in one named way; a document that cannot be broken in that way stays unchanged. */
export function breakDocument(value: Json, schema: Json, how: NonNullable<Do['break_document']>): Json {
  if (!isObject(value)) return value;
  switch (how) {
    case 'drop_member':
      return Object.fromEntries(Object.entries(value).filter(([name]) => name !== lastRequired(value, schema)));
    case 'extra_member':
      return { ...value, note: 'added because it seemed helpful' };
    case 'wrong_type':
      return changeFirst(
        value,
        (member) => (typeof member === 'number' ? String(member) : undefined),
        () => 7,
      );
    case 'wrong_enum':
      return { ...value, ...wrongChoices(schema) };
    case 'all_strings':
      return allStrings(value);
    case 'nested_string':
      return changeFirst(
        value,
        (member) => (typeof member === 'object' && member !== null ? JSON.stringify(member) : undefined),
        (member) => (typeof member === 'string' ? undefined : JSON.stringify([member])),
      );
  }
}

function lastRequired(value: JsonObject, schema: Json): string | undefined {
  const required = isObject(schema) && Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : [];
  const name = required.findLast((candidate) => typeof candidate === 'string' && Object.hasOwn(value, candidate));
  return typeof name === 'string' ? name : Object.keys(value).at(-1);
}

/** Applies the first change that changes any member, to the first member that it changes. */
function changeFirst(value: JsonObject, ...changes: readonly ((member: Json) => Json | undefined)[]): Json {
  for (const change of changes) {
    for (const [name, member] of Object.entries(value)) {
      const changed = change(member);
      if (changed !== undefined) return { ...value, [name]: changed };
    }
  }
  return value;
}

function wrongChoices(schema: Json): JsonObject {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const chosen = Object.keys(properties).filter((name) => isObject(properties[name]) && 'enum' in properties[name]);
  return Object.fromEntries(chosen.map((name) => [name, 'something else']));
}

function allStrings(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(allStrings);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, allStrings(member)]));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The same document with wrong values: every number is one too high. */
export function wrongValues(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(wrongValues);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, wrongValues(member)]));
  if (typeof value === 'number') return value + 1;
  return value;
}
