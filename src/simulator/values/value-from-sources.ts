import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { valueInText } from './value-in-text.js';
import { resolveRef, schemasAt, typesOf } from './resolve-ref.js';

/** What is known about the task. */
export interface Sources {
  /** Values by property name, the best source first. */
  readonly objects: readonly Json[];
  /** The text of the conversation. */
  readonly text: string;
}

interface SourceContext {
  readonly root: Json;
  readonly sources: Sources;
  /** Every member of every source by name, at any depth. */
  readonly byName: ReadonlyMap<string, readonly Json[]>;
}

/**
 * A document in a schema's shape, made from known values; members without a known value are left out.
 * undefined when no value is known at all.
 */
export function valueFromSources(schema: Json, sources: Sources): Json | undefined {
  const context = { root: schema, sources, byName: membersByName(sources.objects) };
  return findValue(schema, sources.objects, '', context, 0);
}

function membersByName(objects: readonly Json[]): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) (value as readonly Json[]).forEach(visit);
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      found.set(name, [...(found.get(name) ?? []), member]);
      visit(member);
    }
  };
  objects.forEach(visit);
  return found;
}

function findValue(
  schema: Json | undefined,
  candidates: readonly Json[],
  name: string,
  context: SourceContext,
  depth: number,
): Json | undefined {
  if (!isObject(schema) || depth > 24) return candidates[0];
  const merged = mergedAllOf(resolveRef(schema, context.root), context.root);
  if ('const' in merged) return merged['const'];
  const types = typesOf(merged);
  if (types.includes('object') && (types.length === 1 || candidates.some(isObject)))
    return findObject(merged, candidates.filter(isObject), context, depth);
  if (types.includes('array')) {
    const list = candidates.find((candidate) => Array.isArray(candidate)) as readonly Json[] | undefined;
    if (list !== undefined)
      return list.map((item) => findValue(merged['items'], [item], '', context, depth + 1) ?? item);
  }
  const fitting = candidates.find((candidate) => fits(candidate, merged, types));
  if (fitting !== undefined || depth === 0) return fitting;
  return valueInText(name, merged, context.sources.text) ?? (types.includes('null') ? null : undefined);
}

function mergedAllOf(schema: JsonObject, root: Json): JsonObject {
  const parts = schemasAt(schema, 'allOf').map((part) => resolveRef(part, root));
  const properties = Object.assign({}, ...[schema, ...parts].map((part) => part['properties'] ?? {})) as JsonObject;
  return Object.keys(properties).length > 0 ? { ...schema, properties } : schema;
}

function findObject(
  schema: JsonObject,
  candidates: readonly JsonObject[],
  context: SourceContext,
  depth: number,
): Json | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const entries = new Map<string, Json>();
  for (const [name, property] of Object.entries(properties)) {
    const own = candidates
      .filter((candidate) => Object.hasOwn(candidate, name))
      .map((candidate) => candidate[name] ?? null);
    const others = depth === 0 || candidates.length === 0 ? (context.byName.get(name) ?? []) : [];
    const value = findValue(property, [...own, ...others], name, context, depth + 1);
    if (value !== undefined) entries.set(name, value);
  }
  if (Object.keys(properties).length === 0 && candidates[0] !== undefined) return candidates[0];
  return entries.size > 0 ? Object.fromEntries(entries) : undefined;
}

function fits(candidate: Json, schema: JsonObject, types: readonly string[]): boolean {
  const choices = schemasAt(schema, 'enum');
  if (choices.length > 0) return choices.includes(candidate);
  return types.length === 0 || types.some((type) => isOfType(candidate, type));
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}
