import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { readText } from './value-in-text.js';
import { resolved, schemasAt, typesOf } from './resolve-ref.js';

/** What is known about the task at hand. */
export interface Sources {
  /** Values by property name, the best source first. */
  readonly objects: readonly Json[];
  /** The user's words. */
  readonly text: string;
}

interface Scene {
  readonly root: Json;
  readonly sources: Sources;
  /** Every member of every source by its name, wherever it stands. */
  readonly byName: ReadonlyMap<string, readonly Json[]>;
}

/**
 * A document in a schema's shape out of what is known; what nobody stated is left out.
 * undefined when nothing at all is known.
 */
export function fill(schema: Json, sources: Sources): Json | undefined {
  const scene = { root: schema, sources, byName: membersByName(sources.objects) };
  return fillValue(schema, sources.objects, '', scene, 0);
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

function fillValue(
  schema: Json | undefined,
  candidates: readonly Json[],
  name: string,
  scene: Scene,
  depth: number,
): Json | undefined {
  if (!isObject(schema) || depth > 24) return candidates[0];
  const here = mergedAllOf(resolved(schema, scene.root), scene.root);
  if ('const' in here) return here['const'];
  const types = typesOf(here);
  if (types.includes('object') && (types.length === 1 || candidates.some(isObject)))
    return fillObject(here, candidates.filter(isObject), scene, depth);
  if (types.includes('array')) {
    const list = candidates.find((candidate) => Array.isArray(candidate)) as readonly Json[] | undefined;
    if (list !== undefined) return list.map((item) => fillValue(here['items'], [item], '', scene, depth + 1) ?? item);
  }
  const fitting = candidates.find((candidate) => fits(candidate, here, types));
  if (fitting !== undefined || depth === 0) return fitting;
  return readText(name, here, scene.sources.text) ?? (types.includes('null') ? null : undefined);
}

function mergedAllOf(schema: JsonObject, root: Json): JsonObject {
  const parts = schemasAt(schema, 'allOf').map((part) => resolved(part, root));
  const properties = Object.assign({}, ...[schema, ...parts].map((part) => part['properties'] ?? {})) as JsonObject;
  return Object.keys(properties).length > 0 ? { ...schema, properties } : schema;
}

function fillObject(schema: JsonObject, heres: readonly JsonObject[], scene: Scene, depth: number): Json | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const entries = new Map<string, Json>();
  for (const [name, property] of Object.entries(properties)) {
    const own = heres.filter((here) => Object.hasOwn(here, name)).map((here) => here[name] ?? null);
    const others = depth === 0 || heres.length === 0 ? (scene.byName.get(name) ?? []) : [];
    const value = fillValue(property, [...own, ...others], name, scene, depth + 1);
    if (value !== undefined) entries.set(name, value);
  }
  if (Object.keys(properties).length === 0 && heres[0] !== undefined) return heres[0];
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
