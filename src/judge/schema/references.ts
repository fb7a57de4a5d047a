import type { dereference } from '@cfworker/json-schema';
import { isObject, type Json, type JsonObject, pointerSteps } from '../../json/json.js';
import { dataKeywords, isKeyword, namedMembers } from './keywords.js';

type Lookup = ReturnType<typeof dereference>;

type BrokenReference = {
  /** `endless`: it leads back to itself before any part of a value was looked at. */
  readonly kind: 'nowhere' | 'endless';
  readonly ref: string;
  /** Steps from the root of the schema to what holds it. */
  readonly at: readonly string[];
};

/** Keywords whose schemas are asked about the same value as the schema around them; the others, about its parts. */
const ofSameValue: ReadonlySet<string> = new Set(
  'not if then else allOf anyOf oneOf dependentSchemas dependencies'.split(' '),
);
/** Keywords whose schemas are asked about nothing until a reference leads there. */
const shelves: ReadonlySet<string> = new Set(['$defs', 'definitions', 'contentSchema']);

interface Subschema {
  readonly steps: readonly string[];
  readonly schema: JsonObject;
  readonly isOfSameValue: boolean;
}

/** The schemas within a schema that a validation comes to. */
function subschemasOf(schema: JsonObject): readonly Subschema[] {
  return Object.entries(schema).flatMap(([name, value]): readonly Subschema[] => {
    if (!isKeyword(name) || dataKeywords.has(name) || shelves.has(name)) return [];
    const isOfSameValue = ofSameValue.has(name);
    if (isObject(value) && !namedMembers.has(name)) return [{ steps: [name], schema: value, isOfSameValue }];
    return Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(([step, part]) =>
      isObject(part) ? [{ steps: [name, step], schema: part, isOfSameValue }] : [],
    );
  });
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
    for (const { steps, schema: part, isOfSameValue } of subschemasOf(schema)) {
      const place = [...at, ...steps];
      if (!isOfSameValue) later.push([place, part]);
      const found = isOfSameValue ? enter(part, place) : null;
      if (found !== null) return found;
    }
    open.delete(schema);
    seen.add(schema);
    return null;
  };
  const endless: BrokenReference = { kind: 'endless', ref: '', at: [] };
  const enter = (schema: Json, at: readonly string[]): BrokenReference | null => {
    if (!isObject(schema) || seen.has(schema)) return null;
    return open.has(schema) ? endless : follow(schema, at);
  };
  /** Schemas that are asked about other values begin anew. */
  const later: (readonly [steps: readonly string[], schema: Json])[] = [[[], root]];
  for (let next = later.pop(); next !== undefined; next = later.pop()) {
    const found = enter(next[1], next[0]);
    if (found !== null) return found;
  }
  return null;
}

/** The steps of a reference to a part of the same schema; null for any other. */
const pointerOf = (ref: string): readonly string[] | null =>
  /^#(?:\/|$)/.test(ref) ? pointerSteps(ref.slice(1)) : null;
