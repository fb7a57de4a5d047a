import type { dereference } from '@cfworker/json-schema';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

type Lookup = ReturnType<typeof dereference>;

type BrokenReference = {
  /** `endless`: it leads back to itself before any part of a value was looked at. */
  readonly kind: 'nowhere' | 'endless';
  readonly ref: string;
  /** Steps from the root of the schema to what holds it. */
  readonly at: readonly string[];
};

/** Keywords whose schemas are asked about the same value as the schema around them. */
const sameValue = {
  one: ['not', 'if', 'then', 'else'],
  list: ['allOf', 'anyOf', 'oneOf'],
  map: ['dependentSchemas', 'dependencies'],
};
/** Keywords whose schemas are asked about parts of the value. */
const parts = {
  one: [
    'items',
    'additionalItems',
    'unevaluatedItems',
    'contains',
    'additionalProperties',
    'unevaluatedProperties',
    'propertyNames',
  ],
  list: ['prefixItems', 'items'],
  map: ['properties', 'patternProperties'],
};

type Below = readonly [steps: readonly string[], schema: Json];

function* below(schema: JsonObject, { one, list, map }: typeof sameValue): Generator<Below> {
  for (const name of one) {
    const part = schema[name];
    if (isObject(part)) yield [[name], part];
  }
  for (const name of [...list, ...map]) {
    const members = schema[name];
    if (typeof members !== 'object' || members === null || (Array.isArray(members) && map.includes(name))) continue;
    if (!Array.isArray(members) && list.includes(name)) continue;
    for (const [step, part] of Object.entries(members as JsonObject)) {
      if (isObject(part)) yield [[name, step], part];
    }
  }
}

/** The first reference, of all that a value can come to, that leads nowhere or back to itself without end. */
export function brokenReference(root: Json, lookup: Lookup): BrokenReference | null {
  /** Schemas that are decided, and those that wait for one within them. */
  const seen = new Set<Json>();
  const open = new Set<Json>();
  const follow = (schema: JsonObject, at: readonly string[]): BrokenReference | null => {
    open.add(schema);
    const { $ref: ref, __absolute_ref__: absolute } = schema;
    if (typeof ref === 'string') {
      const target = lookup[typeof absolute === 'string' ? absolute : ref] as Json | undefined;
      if (target === undefined) return { kind: 'nowhere', ref, at };
      const found = enter(target, pointerOf(ref) ?? at);
      if (found !== null) return found === endless ? { kind: 'endless', ref, at } : found;
    }
    for (const [steps, part] of below(schema, sameValue)) {
      const found = enter(part, [...at, ...steps]);
      if (found !== null) return found;
    }
    open.delete(schema);
    seen.add(schema);
    for (const [steps, part] of below(schema, parts)) later.push([[...at, ...steps], part]);
    return null;
  };
  const endless: BrokenReference = { kind: 'endless', ref: '', at: [] };
  const enter = (schema: Json, at: readonly string[]): BrokenReference | null => {
    if (!isObject(schema) || seen.has(schema)) return null;
    return open.has(schema) ? endless : follow(schema, at);
  };
  /** What is asked about other values begins anew. */
  const later: Below[] = [[[], root]];
  for (let next = later.pop(); next !== undefined; next = later.pop()) {
    const found = enter(next[1], next[0]);
    if (found !== null) return found;
  }
  return null;
}

/** The steps of a reference to a part of the same schema; null for any other. */
function pointerOf(ref: string): readonly string[] | null {
  if (!ref.startsWith('#/')) return ref === '#' ? [] : null;
  return ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
